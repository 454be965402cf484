package gitops

import (
	"context"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing"
)

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
