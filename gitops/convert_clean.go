package gitops

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"github.com/go-git/go-git/v5/plumbing"
)

// toBlob is one file of a room that its attributes may change on the way to a
// blob.
type toBlob struct {
	path  string
	attrs attributes
	base  plumbing.Hash // the base's blob at this path, zero if it has none

	id     plumbing.Hash // the result, zero when there is none
	reason string        // why there is none, one sentence
}

// clean turns files of a room into blobs as the base's attributes say. A file
// that git would check out from that blob with other bytes has no result: the
// candidate that is handed over would not be the one that was judged. git
// runs a fixed number of times, however many files there are.
func (n *normalizer) clean(ctx context.Context, scratch string, room *os.Root, files []*toBlob) error {
	if len(files) == 0 {
		return nil
	}
	c, err := n.newConversion(scratch)
	if err != nil {
		return err
	}
	defer c.remove()

	names := make([]convertName, len(files))
	var bytesOf []string
	var seeds []indexed
	for i, f := range files {
		names[i] = c.add(f.attrs)
		src, _, err := lstatOpen(room, f.path)
		if err != nil {
			f.reason = "it could not be read: " + err.Error()
			continue
		}
		err = copyTo(src, filepath.Join(c.workTree, names[i].in(forBytes)))
		src.Close()
		if err != nil {
			return err
		}
		bytesOf = append(bytesOf, names[i].in(forBytes))
		if !f.base.IsZero() {
			// As the index entry it decides whether text=auto leaves CRLF alone.
			seeds = append(seeds, indexed{names[i].in(forBytes), f.base.String()}, indexed{names[i].in(forBlob), f.base.String()})
		}
	}
	if err := c.writeAttributes(); err != nil {
		return err
	}
	if err := c.seed(ctx, seeds); err != nil {
		return err
	}
	reasons, err := c.store(ctx, bytesOf)
	if err != nil {
		return err
	}
	ids, err := c.ids(ctx)
	if err != nil {
		return err
	}
	out, err := c.checkout(ctx)
	if err != nil {
		return err
	}
	for i, f := range files {
		if f.reason != "" {
			continue
		}
		if err := f.settle(c.workTree, out, names[i], reasons, ids); err != nil {
			return err
		}
	}
	return nil
}

// settle chooses the blob whose checkout has exactly the file's bytes.
func (f *toBlob) settle(tree, out string, name convertName, reasons, ids map[string]string) error {
	raw := filepath.Join(tree, name.in(forBytes))
	if !f.base.IsZero() {
		// Back to what the base's checkout has: also where the base's blob is
		// not what git would store today.
		same, err := sameFile(raw, filepath.Join(out, name.in(forBlob)))
		if err != nil {
			return err
		}
		if same {
			f.id = f.base
			return nil
		}
	}
	if why := reasons[name.in(forBytes)]; why != "" {
		f.reason = "git cannot store it under its attributes: " + why
		return nil
	}
	id, err := parseID(ids[name.in(forBytes)])
	if err != nil {
		return err
	}
	compare := sameFile
	if f.attrs.ident() && f.attrs.encoding() == "" {
		compare = sameButIdent
	}
	same, err := compare(raw, filepath.Join(out, name.in(forBytes)))
	if err != nil {
		return err
	}
	if !same {
		f.reason = "stored and checked out again it would have other bytes: write it with the line ends and the encoding that its attributes ask for (" + f.attrs.line() + ")"
		return nil
	}
	f.id = id
	return nil
}

// toFile is one blob that its attributes may change on the way to a file.
type toFile struct {
	attrs attributes
	id    plumbing.Hash
	name  convertName
}

// smudge writes blobs as the base's attributes say into a folder of its own.
// It calls use with each one's path there, and then removes them.
func (n *normalizer) smudge(ctx context.Context, scratch string, files []*toFile, use func(i int, path string) error) error {
	if len(files) == 0 {
		return nil
	}
	c, err := n.newConversion(scratch)
	if err != nil {
		return err
	}
	defer c.remove()
	var seeds []indexed
	for _, f := range files {
		f.name = c.add(f.attrs)
		seeds = append(seeds, indexed{f.name.in(forBlob), f.id.String()})
	}
	if err := c.writeAttributes(); err != nil {
		return err
	}
	if err := c.seed(ctx, seeds); err != nil {
		return err
	}
	out, err := c.checkout(ctx)
	if err != nil {
		return err
	}
	for i, f := range files {
		if err := use(i, filepath.Join(out, f.name.in(forBlob))); err != nil {
			return err
		}
	}
	return nil
}

// copyTo copies an open file to a new one.
func copyTo(f *os.File, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	w, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, f)
	return errors.Join(err, w.Close())
}

// sameFile compares two files byte by byte.
func sameFile(a, b string) (bool, error) {
	x, err := os.Open(a)
	if err != nil {
		return false, err
	}
	defer x.Close()
	y, err := os.Open(b)
	if err != nil {
		return false, err
	}
	defer y.Close()
	p, q := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, errX := io.ReadFull(x, p)
		m, errY := io.ReadFull(y, q)
		if !bytes.Equal(p[:n], q[:m]) {
			return false, nil
		}
		for _, err := range []error{errX, errY} {
			if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
				return false, err
			}
		}
		if errX != nil {
			return true, nil
		}
	}
}

// identKeyword is what git collapses to "$Id$" (gitattributes(5), ident).
var identKeyword = regexp.MustCompile(`\$Id:[^$\n]*\$`)

// sameButIdent compares two files but for the id in their $Id$ keywords: it
// names the blob, and so can never be that of a blob to come.
func sameButIdent(a, b string) (bool, error) {
	var text [2][]byte
	for i, path := range []string{a, b} {
		data, err := os.ReadFile(path)
		if err != nil {
			return false, err
		}
		text[i] = identKeyword.ReplaceAllLiteral(data, []byte("$Id$"))
	}
	return bytes.Equal(text[0], text[1]), nil
}
