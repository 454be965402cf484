package loop

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/patchvet/patchvet/loop/feedback"
)

// exchangeDir is the folder in a room through which a hook is told things. It
// is no part of any tree.
const exchangeDir = ".patchvet-io"

// exchange names the files that one hook call gets.
type exchange struct {
	dir        string
	feedback   string
	fullLog    string
	lastOutput string
	spec       string // "" for none
	out        string
}

// fillExchange writes what a hook is told into a room: read-only copies, so
// that nothing that it does to them reaches the run folder.
func (e *Engine) fillExchange(room string, f failure) (exchange, error) {
	x := exchange{dir: filepath.Join(room, exchangeDir, "in"), out: filepath.Join(room, exchangeDir, "out")}
	for _, dir := range []string{x.dir, x.out} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return exchange{}, fmt.Errorf("make the exchange folder: %w", err)
		}
	}
	x.fullLog = filepath.Join(x.dir, "full-log.txt")
	x.lastOutput = filepath.Join(x.dir, "last-output.txt")
	x.feedback = filepath.Join(x.dir, "feedback.json")
	if err := e.copyLog(f, x.fullLog); err != nil {
		return exchange{}, err
	}
	doc := e.document(f, x.fullLog)
	if err := writeReadOnly(x.lastOutput, []byte(doc.OutputTail)); err != nil {
		return exchange{}, err
	}
	if err := feedback.Write(x.feedback, doc); err != nil {
		return exchange{}, fmt.Errorf("write feedback: %w", err)
	}
	if err := os.Chmod(x.feedback, 0o444); err != nil {
		return exchange{}, fmt.Errorf("write feedback: %w", err)
	}
	// A hook is never called without feedback that it can read.
	if err := checkFeedback(x.feedback); err != nil {
		return exchange{}, err
	}
	if e.Plan.Spec != "" {
		x.spec = filepath.Join(x.dir, "spec.md")
		if err := copyFile(e.Plan.Spec, x.spec, 0o444); err != nil {
			return exchange{}, fmt.Errorf("hand over the spec: %w", err)
		}
	}
	return x, nil
}

func checkFeedback(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read back feedback: %w", err)
	}
	if _, err := feedback.Parse(data); err != nil {
		return fmt.Errorf("read back feedback: %w", err)
	}
	return nil
}

// add puts one more read-only file into the exchange folder.
func (x exchange) add(name string, data []byte) (string, error) {
	path := filepath.Join(x.dir, name)
	return path, writeReadOnly(path, data)
}

// copyLog copies the log of the failed step, or writes the gate's own words
// where nothing was run.
func (e *Engine) copyLog(f failure, to string) error {
	if f.step == nil {
		return writeReadOnly(to, []byte(f.text()))
	}
	err := copyFile(f.step.logPath, to, 0o444)
	if os.IsNotExist(err) {
		return writeReadOnly(to, []byte(f.step.evidence.Reason+"\n"))
	}
	if err != nil {
		return fmt.Errorf("copy the full log: %w", err)
	}
	return nil
}

// writeFeedback writes what the last attempt came to into the run folder.
func (e *Engine) writeFeedback(f failure) error {
	full := filepath.Join(e.Folders.Run, "full-log.txt")
	if err := os.RemoveAll(full); err != nil {
		return fmt.Errorf("replace %s: %w", full, err)
	}
	if err := e.copyLog(f, full); err != nil {
		return err
	}
	doc := e.document(f, "full-log.txt")
	if err := writeFile(filepath.Join(e.Folders.Run, "last-output.txt"), []byte(doc.OutputTail)); err != nil {
		return err
	}
	if err := feedback.Write(filepath.Join(e.Folders.Run, "feedback.json"), doc); err != nil {
		return fmt.Errorf("write feedback: %w", err)
	}
	return nil
}
