package gitops

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// Limits of the memory that reading objects may take.
const (
	objectCacheBytes = 16 << 20 // of objects that were read
	streamAbove      = 4 << 20  // bytes from which a blob is streamed from disk
)

// objects are the two private stores of a run. sealed holds the base and is
// never written after Seal; fresh holds what the frozen trees add and is seen
// by no room. Readers look into fresh first.
type objects struct {
	mu     sync.Mutex // go-git's storage is not safe for concurrent use
	fresh  *filesystem.ObjectStorage
	sealed *filesystem.ObjectStorage
	dir    string // of fresh
}

func openObjects(freshDir, sealedDir string) *objects {
	o := &objects{dir: freshDir}
	shared := cache.NewObjectLRU(objectCacheBytes)
	o.fresh = filesystem.NewObjectStorageWithOptions(dotgit.New(osfs.New(freshDir)), shared,
		filesystem.Options{LargeObjectThreshold: streamAbove})
	o.sealed = filesystem.NewObjectStorageWithOptions(
		dotgit.NewWithOptions(osfs.New(sealedDir), dotgit.Options{ExclusiveAccess: true}), shared,
		filesystem.Options{LargeObjectThreshold: streamAbove, ExclusiveAccess: true})
	return o
}

// copyTo writes the content of an object to w and returns its size.
func (o *objects) copyTo(w io.Writer, kind plumbing.ObjectType, id plumbing.Hash) (int64, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	obj, err := o.fresh.EncodedObject(kind, id)
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		obj, err = o.sealed.EncodedObject(kind, id)
	}
	if err != nil {
		return 0, fmt.Errorf("read %s %s: %w", kind, id, err)
	}
	r, err := obj.Reader()
	if err != nil {
		return 0, fmt.Errorf("read %s %s: %w", kind, id, err)
	}
	n, err := io.Copy(w, r)
	if closeErr := r.Close(); err == nil {
		err = closeErr
	}
	if err == nil && n != obj.Size() {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return n, fmt.Errorf("read %s %s: %w", kind, id, err)
	}
	return n, nil
}

// read is the whole content of an object.
func (o *objects) read(kind plumbing.ObjectType, id plumbing.Hash) ([]byte, error) {
	var buf writeBuffer
	_, err := o.copyTo(&buf, kind, id)
	return buf, err
}

type writeBuffer []byte

func (b *writeBuffer) Write(p []byte) (int, error) {
	*b = append(*b, p...)
	return len(p), nil
}

// errSize says that a file did not have as many bytes as it was said to have.
var errSize = errors.New("its size changed while it was read")

// write stores size bytes from r as a loose object. Writers may work at the
// same time, each through a DotGit of its own: go-git's changes when an object
// is closed.
func (o *objects) write(kind plumbing.ObjectType, size int64, r io.Reader) (plumbing.Hash, error) {
	return writeLoose(dotgit.New(osfs.New(o.dir)), kind, size, r)
}

func writeLoose(dir *dotgit.DotGit, kind plumbing.ObjectType, size int64, r io.Reader) (plumbing.Hash, error) {
	w, err := dir.NewObject()
	if err != nil {
		return plumbing.ZeroHash, fmt.Errorf("write %s: %w", kind, err)
	}
	err = w.WriteHeader(kind, size)
	var n int64
	if err == nil {
		n, err = io.Copy(w, io.LimitReader(r, size))
	}
	// Where fewer bytes came, what Close stores has an id that nobody asks for.
	if closeErr := w.Close(); err == nil {
		err = closeErr
	}
	if err == nil && n != size {
		err = errSize
	}
	if err != nil {
		return plumbing.ZeroHash, fmt.Errorf("write %s: %w", kind, err)
	}
	return w.Hash(), nil
}
