package gitops

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
)

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

// lacksOnlyCR says that a has no carriage return and is b without those before
// its line feeds.
func lacksOnlyCR(a, b string) (bool, error) {
	x, err := os.ReadFile(a)
	if err != nil || bytes.IndexByte(x, '\r') >= 0 {
		return false, err
	}
	y, err := os.ReadFile(b)
	if err != nil {
		return false, err
	}
	return bytes.Equal(x, bytes.ReplaceAll(y, []byte("\r\n"), []byte("\n"))), nil
}

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
