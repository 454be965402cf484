package reports

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/patchvet/patchvet/loop"
)

// maxDiff bounds the diff that is read, in bytes. `git apply` takes no more.
const maxDiff = 1 << 30

// checkDiff compares candidate.diff with the hash that the journal's end has.
func checkDiff(root *os.Root, events []loop.Event) (check, error) {
	if len(events) == 0 {
		return check{}, ErrNoRun
	}
	payload, err := events[len(events)-1].Decode()
	if err != nil {
		return check{}, err
	}
	end, ok := payload.(loop.RunFinished)
	if !ok || end.DiffSHA256 == "" {
		return check{Verified, "the journal has no hash of a diff"}, nil
	}
	got, err := hashFile(root, DiffFile, maxDiff)
	if errors.Is(err, fs.ErrNotExist) {
		return check{Mismatch, DiffFile + " is missing"}, nil
	}
	if err != nil {
		return check{}, err
	}
	if got != end.DiffSHA256 {
		return check{Mismatch, fmt.Sprintf("%s was changed after the run: sha256 is %s, the journal says %s", DiffFile, got, end.DiffSHA256)}, nil
	}
	return check{Verified, DiffFile + " is what the journal says"}, nil
}
