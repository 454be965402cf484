package reports

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/patchvet/patchvet/loop"
)

// maxLog bounds a log that is read back, in bytes. Logs are kept up to the
// run's own bound, which a user may have raised.
const maxLog = 64 << 30

// checkEvidence compares the log of every step with the hash that the journal
// has of it.
func checkEvidence(root *os.Root, events []loop.Event) (check, error) {
	checked := 0
	for _, ev := range events {
		payload, err := ev.Decode()
		if err != nil {
			return check{}, err
		}
		step, ok := payload.(loop.StepFinished)
		if !ok || step.Reused || step.Evidence.LogSHA256 == "" {
			continue
		}
		sum, err := hashFile(root, step.Evidence.Log, maxLog)
		if errors.Is(err, fs.ErrNotExist) {
			return check{Mismatch, step.Evidence.Log + " is missing"}, nil
		}
		if err != nil {
			return check{}, err
		}
		if sum != step.Evidence.LogSHA256 {
			return check{Mismatch, fmt.Sprintf("%s was changed after the run: sha256 is %s, the journal says %s", step.Evidence.Log, sum, step.Evidence.LogSHA256)}, nil
		}
		checked++
	}
	return check{Verified, fmt.Sprintf("%d logs are what the journal says", checked)}, nil
}

// hashFile is the SHA-256 of a regular file in the run folder, in hex.
func hashFile(root *os.Root, name string, limit int64) (string, error) {
	f, err := openRegular(root, filepath.FromSlash(name), limit)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, io.LimitReader(f, limit)); err != nil {
		return "", fmt.Errorf("read %s: %w", name, err)
	}
	return fmt.Sprintf("%x", sum.Sum(nil)), nil
}
