package gitops

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
)

// look reads one name of a folder. It returns nil for a name that is gone.
func (w *walker) look(ctx context.Context, dir *os.Root, name, at string, buf []byte) (*node, fs.FileInfo) {
	n := &node{path: at}
	if len(at) > maxPath {
		n.kind, n.err = nodeSpecial, errTooLong
		return n, nil
	}
	info, err := dir.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		n.err = err
		return n, nil
	}
	n.mode, n.links, n.stamp = info.Mode(), linkCount(info), stampOf(info)
	switch info.Mode().Type() {
	case fs.ModeDir:
		n.kind = nodeFolder
	case fs.ModeSymlink:
		n.kind = nodeLink
		n.target, n.err = dir.Readlink(name)
	case 0:
		n.kind, n.size = nodeFile, info.Size()
		if w.opt.hash == nil || w.opt.hash(at) {
			n.sum, n.size, n.err = hashFile(ctx, dir, name, info, buf)
			n.hashed = n.err == nil
		}
	default:
		n.kind = nodeSpecial
	}
	return n, info
}

// hashFile is the SHA-256 and the size of a regular file.
func hashFile(ctx context.Context, dir *os.Root, name string, info fs.FileInfo, buf []byte) (sum [32]byte, size int64, err error) {
	f, err := openRegular(dir, name, info)
	if err != nil {
		return sum, 0, err
	}
	defer f.Close()
	h := sha256.New()
	for {
		if err := ctx.Err(); err != nil {
			return sum, size, err
		}
		n, err := f.Read(buf)
		h.Write(buf[:n])
		size += int64(n)
		if err == io.EOF {
			h.Sum(sum[:0])
			return sum, size, nil
		}
		if err != nil {
			return sum, size, err
		}
	}
}

// openRegular opens the regular file that lstat saw, and nothing else: not
// what a link in its place leads to, and not a fifo, whose open would wait.
func openRegular(dir *os.Root, name string, info fs.FileInfo) (*os.File, error) {
	f, err := dir.OpenFile(name, os.O_RDONLY|openNonblock, 0)
	if err != nil {
		return nil, err
	}
	now, err := f.Stat()
	if err == nil && !os.SameFile(now, info) {
		err = errSwapped
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// lstatOpen is openRegular for a path of which only the name is known.
func lstatOpen(root *os.Root, path string) (*os.File, fs.FileInfo, error) {
	info, err := root.Lstat(path)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, errSwapped
	}
	f, err := openRegular(root, path, info)
	return f, info, err
}
