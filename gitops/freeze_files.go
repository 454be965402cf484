package gitops

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// readFiles turns the changed and new files into blobs.
func (f *freezer) readFiles(ctx context.Context) error {
	paths := make([]string, 0, len(f.files))
	for _, n := range f.files {
		paths = append(paths, n.path)
	}
	rules := f.sealed.rules
	attrs, err := rules.attributesOf(ctx, paths)
	if err != nil {
		return err
	}
	var converted []*toBlob
	var convertedNodes []*node
	for _, n := range f.files {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if f.isBlocked(n.path) { // a submodule's place, found later
			continue
		}
		if n.size > f.budget {
			f.reject(n.path, RuleTooLarge, fmt.Sprintf("With its %d bytes the changed files are more than a patch can hold.", n.size))
			continue
		}
		f.budget -= n.size
		a, known := attrs[n.path]
		switch {
		case !f.sealed.settings.symlinks && f.start[n.path].mode == modeLink:
			err = f.readLinkFile(n)
		case known && a.filtered():
			f.reject(n.path, RuleFiltered, "Its bytes changed under filter="+printable(a.filter())+": the program that would store them is never run on a candidate.")
		case known && a.converts(rules.converts) && !(a.checksOutLF(f.sealed.settings) && f.hasNoCR(n.path)):
			c := &toBlob{path: n.path, attrs: a}
			if e := f.sealed.entries[n.path]; isFile(e.mode) {
				c.base = e.id
			}
			converted = append(converted, c)
			convertedNodes = append(convertedNodes, n)
		default:
			err = f.readRaw(n)
		}
		if err != nil {
			return err
		}
	}
	if err := rules.clean(ctx, f.sealed.scratch.Path(workFolder), f.root, converted); err != nil {
		return err
	}
	for i, c := range converted {
		if c.id.IsZero() {
			f.reject(c.path, RuleNoRoundTrip, sentence(c.reason))
			continue
		}
		f.acceptFile(convertedNodes[i], c.id)
		if c.ends {
			f.suspect(c.path, "It was written with LF; a checkout gives it CRLF, as its attributes ask, and that is what is judged.")
		}
	}
	return nil
}

// hasNoCR says whether a file was read and has no carriage return in it.
func (f *freezer) hasNoCR(p string) bool {
	file, _, err := lstatOpen(f.root, p)
	if err != nil {
		return false
	}
	defer file.Close()
	buf := make([]byte, 64<<10)
	for {
		n, err := file.Read(buf)
		if bytes.IndexByte(buf[:n], '\r') >= 0 {
			return false
		}
		if err != nil {
			return err == io.EOF
		}
	}
}

// readRaw stores a file whose blob has the bytes that lie in the room.
func (f *freezer) readRaw(n *node) error {
	file, _, err := lstatOpen(f.root, n.path)
	if err != nil {
		f.reject(n.path, RuleUnreadable, "It cannot be read: "+plain(err)+".")
		return nil
	}
	defer file.Close()
	src := &noteReader{r: file}
	id, err := f.sealed.store.write(plumbing.BlobObject, n.size, src)
	if src.err != nil {
		err = src.err
	}
	if src.err != nil || errors.Is(err, errSize) {
		f.reject(n.path, RuleUnreadable, "It cannot be read: "+plain(err)+".")
		return nil
	}
	if err != nil {
		return err
	}
	f.acceptFile(n, id)
	return nil
}

// acceptFile gives a file its entry in T.
func (f *freezer) acceptFile(n *node, id plumbing.Hash) {
	start := f.start[n.path]
	mode := fileMode(n.executable())
	old := f.room.manifest.byPath[n.path]
	switch {
	case isFile(start.mode) && old != nil && old.executable() == n.executable():
		mode = start.mode // nobody changed the bit, whatever the file system makes of it
	case f.room.noModes && !isFile(start.mode):
		mode = modeFile
	}
	f.edits[n.path] = edit{path: n.path, mode: mode, id: id}
}

// acceptLink gives a symbolic link its entry in T.
func (f *freezer) acceptLink(p, target string) error {
	id, err := f.sealed.store.write(plumbing.BlobObject, int64(len(target)), strings.NewReader(target))
	if err != nil {
		return err
	}
	f.edits[p] = edit{path: p, mode: modeLink, id: id}
	f.targets[p] = target
	return nil
}

// readLinkFile reads the file that stands for a symbolic link where
// core.symlinks is false.
func (f *freezer) readLinkFile(n *node) error {
	file, _, err := lstatOpen(f.root, n.path)
	var target []byte
	if err == nil {
		target, err = io.ReadAll(io.LimitReader(file, maxPath+1))
		file.Close()
	}
	if err == nil && len(target) > maxPath {
		err = errTooLong
	}
	if err != nil {
		f.reject(n.path, RuleUnreadable, "The target of the symbolic link cannot be read: "+plain(err)+".")
		return nil
	}
	return f.acceptLink(n.path, string(target))
}

// noteReader keeps the error of reading apart from that of writing.
type noteReader struct {
	r   io.Reader
	err error
}

func (n *noteReader) Read(p []byte) (int, error) {
	c, err := n.r.Read(p)
	if err != nil && err != io.EOF {
		n.err = err
	}
	return c, err
}

// sentence begins with a capital and ends in a full stop.
func sentence(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + strings.TrimSuffix(s[1:], ".") + "."
}
