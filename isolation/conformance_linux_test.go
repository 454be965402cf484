package isolation

import (
	"context"
	"testing"
)

// sameFolders is a native box that shows a job's folder where it is, so that
// tests which know no mounts run in it too.
type sameFolders struct{ *native }

func (b sameFolders) Run(ctx context.Context, job Job) (Result, error) {
	job.Mounts = append(job.Mounts, Mount{Source: job.Dir, Target: job.Dir})
	return b.native.Run(ctx, job)
}

// addNative adds a native box to those of the conformance tests, where there is
// one.
func addNative(t *testing.T, boxes map[string]Box) {
	t.Helper()
	box, err := newNative(NativeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := box.Run(t.Context(), nativeJob(t, "true")); err == nil {
		boxes["native"] = sameFolders{box.(*native)}
	}
}
