package feedback

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"unicode/utf8"
)

// ErrNotFeedback is wrapped by the errors of Parse and Write about a document
// that a hook could not rely on.
var ErrNotFeedback = errors.New("not a feedback document")

// Write stores a document so that a reader sees the old file or the whole new
// one, never a part, and so that it survives a crash of the machine. The file
// can be read by everyone, as a hook may run as another user. On an error
// nothing is left behind and an older file stays; only an error of the very
// last step, after which the new file is there but may not survive a crash,
// leaves the new one.
func Write(path string, f Feedback) (err error) {
	f = f.withArrays()
	if err := f.check(); err != nil {
		return fmt.Errorf("write feedback %s: %w", path, err)
	}
	data, err := encode(f)
	if err != nil {
		return fmt.Errorf("write feedback %s: %w", path, err)
	}
	dir := filepath.Dir(path)
	tmp, err := os.CreateTemp(dir, ".feedback-*")
	if err != nil {
		return fmt.Errorf("write feedback %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			_ = tmp.Close()
			_ = os.Remove(tmp.Name())
			err = fmt.Errorf("write feedback %s: %w", path, err)
		}
	}()
	if _, err = tmp.Write(data); err != nil {
		return err
	}
	if err = tmp.Chmod(0o644); err != nil {
		return err
	}
	if err = tmp.Sync(); err != nil {
		return err
	}
	if err = tmp.Close(); err != nil {
		return err
	}
	if err = os.Rename(tmp.Name(), path); err != nil {
		return err
	}
	return syncDir(dir)
}

// Parse reads a document back. It refuses what a hook could not rely on: a
// missing field, a null list, another contract version.
func Parse(data []byte) (Feedback, error) {
	var f Feedback
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return f, fmt.Errorf("%w: %w", ErrNotFeedback, err)
	}
	for _, name := range fieldNames() {
		if _, ok := fields[name]; !ok {
			return f, fmt.Errorf("%w: field %q is missing", ErrNotFeedback, name)
		}
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return Feedback{}, fmt.Errorf("%w: %w", ErrNotFeedback, err)
	}
	if err := f.check(); err != nil {
		return Feedback{}, err
	}
	return f, nil
}

func fieldNames() []string {
	return []string{
		"contract_version", "attempt", "phase", "exit_code", "passed", "flaky", "failing", "loci", "test_name",
		"assertion", "full_log", "output_tail", "class", "rejected_paths", "truncated",
	}
}

// check tells what a hook could not rely on.
func (f Feedback) check() error {
	switch {
	case f.ContractVersion != ContractVersion:
		return fmt.Errorf("%w: contract_version is %q, not %q", ErrNotFeedback, f.ContractVersion, ContractVersion)
	case f.Phase == "":
		return fmt.Errorf("%w: phase is empty", ErrNotFeedback)
	case f.Attempt < 0:
		return fmt.Errorf("%w: attempt is %d, below 0", ErrNotFeedback, f.Attempt)
	case f.Loci == nil || f.TestName == nil || f.Assertion == nil || f.RejectedPaths == nil:
		return fmt.Errorf("%w: a list is null", ErrNotFeedback)
	case !utf8.ValidString(f.FullLog):
		return fmt.Errorf("%w: full_log %q is not UTF-8, so JSON cannot name it", ErrNotFeedback, f.FullLog)
	}
	return nil
}

// withArrays replaces nil lists by empty ones.
func (f Feedback) withArrays() Feedback {
	for _, list := range []*[]string{&f.Loci, &f.TestName, &f.Assertion, &f.RejectedPaths} {
		if *list == nil {
			*list = []string{}
		}
	}
	return f
}
