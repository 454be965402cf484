package gitops

import (
	"context"
	"os"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing"
)

// toBlob is one file of a room that its attributes may change on the way to a
// blob.
type toBlob struct {
	path  string
	attrs attributes
	base  plumbing.Hash // the base's blob at this path, zero if it has none

	id     plumbing.Hash // the result, zero when there is none
	ends   bool          // a checkout of the result has CRLF where the file has LF
	reason string        // why there is none, one sentence
}

// clean turns files of a room into blobs as the base's attributes say. A file
// that git would check out from that blob with other bytes has no result, as
// its author did not see what would be judged; but for one that has LF alone
// where its attributes ask for CRLF. git runs a fixed number of times, however many files there are.
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
	if !same && f.attrs.encoding() == "" {
		// Hooks write LF wherever they run. The clean room, which is judged, has
		// the line ends that a checkout gives.
		same, err = lacksOnlyCR(raw, filepath.Join(out, name.in(forBytes)))
		if err != nil {
			return err
		}
		f.ends = same
	}
	if !same {
		f.reason = "stored and checked out again it would have other bytes: write it with the line ends and the encoding that its attributes ask for (" + f.attrs.line() + ")"
		return nil
	}
	f.id = id
	return nil
}
