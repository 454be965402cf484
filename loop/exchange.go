package loop

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop/feedback"
)

// exchangeDir is the folder in a room through which a hook is told things. It
// is no part of any tree.
const exchangeDir = ".patchvet-io"

// exchange names the files that one hook call gets, as the hook sees them.
type exchange struct {
	dir        string
	own        string // dir on this machine
	feedback   string
	fullLog    string
	lastOutput string
	spec       string // "" for none
	out        string
}

// fillExchange writes what a hook is told into a room: read-only copies, so
// that nothing that it does to them reaches the run folder.
func (e *Engine) fillExchange(p place, f failure) (exchange, error) {
	seen, own := filepath.Join(p.dir, exchangeDir), filepath.Join(p.room.Dir(), exchangeDir)
	x := exchange{dir: filepath.Join(seen, "in"), own: filepath.Join(own, "in"), out: filepath.Join(seen, "out")}
	for _, dir := range []string{x.own, filepath.Join(own, "out")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return exchange{}, fmt.Errorf("make the exchange folder: %w", err)
		}
	}
	const fullLog, lastOutput, document, spec = "full-log.txt", "last-output.txt", "feedback.json", "spec.md"
	x.fullLog = filepath.Join(x.dir, fullLog)
	x.lastOutput = filepath.Join(x.dir, lastOutput)
	x.feedback = filepath.Join(x.dir, document)
	if err := e.copyLog(f, filepath.Join(x.own, fullLog)); err != nil {
		return exchange{}, err
	}
	doc := e.document(f, x.fullLog)
	if err := writeReadOnly(filepath.Join(x.own, lastOutput), []byte(doc.OutputTail)); err != nil {
		return exchange{}, err
	}
	if err := feedback.Write(filepath.Join(x.own, document), doc); err != nil {
		return exchange{}, fmt.Errorf("write feedback: %w", err)
	}
	if err := os.Chmod(filepath.Join(x.own, document), 0o444); err != nil {
		return exchange{}, fmt.Errorf("write feedback: %w", err)
	}
	// A hook is never called without feedback that it can read.
	if err := checkFeedback(filepath.Join(x.own, document)); err != nil {
		return exchange{}, err
	}
	if e.Plan.Spec != "" {
		x.spec = filepath.Join(x.dir, spec)
		if err := copyFile(e.Plan.Spec, filepath.Join(x.own, spec), 0o444); err != nil {
			return exchange{}, fmt.Errorf("hand over the spec: %w", err)
		}
	}
	if err := e.adopt(own); err != nil {
		return exchange{}, fmt.Errorf("hand over the exchange folder: %w", err)
	}
	return x, nil
}

// mount shows what a hook is told read-only, in a box that mounts.
func (x exchange) mount(p place) place {
	if len(p.mounts) > 0 {
		p.mounts = append(slices.Clone(p.mounts), isolation.Mount{Source: x.own, Target: x.dir, ReadOnly: true})
	}
	return p
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
	return filepath.Join(x.dir, name), writeReadOnly(filepath.Join(x.own, name), data)
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
