package gitops

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// conversion is one batch of files on their way between worktree and blob.
// Git does the work, in a worktree made for the batch. The files have names of
// the batch's own there, and the base's attributes of their real paths stand
// in info/attributes, which git heeds before any other (gitattributes(5)). So
// no name that a hook chose reaches the file system of the batch, and a changed
// .gitattributes is bytes like any other.
type conversion struct {
	place
	dir    string
	groups map[attributes]int // files with equal attributes share a folder
	count  int
}

// newConversion makes the batch's folder. The caller calls remove.
func (n *normalizer) newConversion(scratch string) (*conversion, error) {
	dir, err := os.MkdirTemp(scratch, "convert-")
	if err != nil {
		return nil, err
	}
	c := &conversion{dir: dir, groups: map[attributes]int{}}
	c.place = place{runner: n.runner, gitDir: filepath.Join(dir, "git"), workTree: filepath.Join(dir, "tree"), objects: n.fresh}
	config := "[core]\n\trepositoryformatversion = 0\n\tbare = false\n" + n.settings.config()
	if err = writeGitDir(c.gitDir, config); err == nil {
		err = os.Mkdir(c.workTree, 0o777)
	}
	if err != nil {
		c.remove()
		return nil, err
	}
	return c, nil
}

func (c *conversion) remove() { os.RemoveAll(c.dir) }

// add gives a file its number in the batch.
func (c *conversion) add(a attributes) convertName {
	group, ok := c.groups[a]
	if !ok {
		group = len(c.groups)
		c.groups[a] = group
	}
	c.count++
	return convertName{group: group, number: c.count}
}

// convertName is what a file is called in a batch.
type convertName struct{ group, number int }

// Every file has up to two names in a batch: one for its bytes in the room,
// and one for a blob that these bytes may stand for.
const (
	forBytes = "a"
	forBlob  = "b"
)

func (c convertName) in(folder string) string {
	return folder + strconv.Itoa(c.group) + "/" + strconv.Itoa(c.number)
}

// writeAttributes fixes what was added.
func (c *conversion) writeAttributes() error {
	var b strings.Builder
	for a, group := range c.groups {
		for _, folder := range []string{forBytes, forBlob} {
			fmt.Fprintf(&b, "/%s%d/* %s\n", folder, group, a.line())
		}
	}
	return os.WriteFile(filepath.Join(c.gitDir, "info", "attributes"), []byte(b.String()), 0o666)
}

// indexed is one line of an index.
type indexed struct{ name, id string }

// seed puts blobs into the batch's index.
func (c *conversion) seed(ctx context.Context, list []indexed) error {
	if len(list) == 0 {
		return nil
	}
	var b strings.Builder
	for _, e := range list {
		fmt.Fprintf(&b, "%s %s 0\t%s\x00", modeFile, e.id, e.name)
	}
	_, err := c.git(ctx, RunOptions{Stdin: strings.NewReader(b.String())}, "update-index", "-z", "--index-info")
	return err
}

// store turns files of the batch's worktree into blobs, and its index into
// their names. It returns what git says of files that cannot be converted, for
// example because they are not in the encoding that the attribute names: git
// stops at the first one, so that the halves are tried apart.
func (c *conversion) store(ctx context.Context, names []string) (map[string]string, error) {
	_, err := c.git(ctx, RunOptions{Stdin: nulList(names)}, "update-index", "-z", "--add", "--stdin")
	if err == nil {
		return nil, nil
	}
	var failed *CommandError
	if !errors.As(err, &failed) {
		return nil, err
	}
	if len(names) == 1 {
		return map[string]string{names[0]: failed.reason()}, nil
	}
	reasons := map[string]string{}
	for _, half := range [][]string{names[:len(names)/2], names[len(names)/2:]} {
		some, err := c.store(ctx, half)
		if err != nil {
			return nil, err
		}
		for name, reason := range some {
			reasons[name] = reason
		}
	}
	return reasons, nil
}

// ids lists the blobs in the batch's index by name.
func (c *conversion) ids(ctx context.Context) (map[string]string, error) {
	out, err := c.git(ctx, RunOptions{}, "ls-files", "-s", "-z")
	if err != nil {
		return nil, err
	}
	ids := map[string]string{}
	for line := range bytes.SplitSeq(out, []byte{0}) { // mode SP id SP stage TAB name
		meta, name, ok := strings.Cut(string(line), "\t")
		if fields := strings.Fields(meta); ok && len(fields) == 3 {
			ids[name] = fields[1]
		}
	}
	return ids, nil
}

// checkout writes every blob of the batch's index as a file, and returns the
// folder in which they have the names that they have in the index.
func (c *conversion) checkout(ctx context.Context) (string, error) {
	out := filepath.Join(c.dir, "out")
	_, err := c.git(ctx, RunOptions{}, "checkout-index", "-q", "-a", "--prefix="+out+string(filepath.Separator))
	return out, err
}
