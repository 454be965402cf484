package gitops

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"runtime"
	"sync"
)

// Limits of a walk.
const (
	maxPath   = 4095 // bytes of a path that a program can open (PATH_MAX less the final NUL)
	walkBatch = 128  // names of one folder that one worker takes at a time
)

// errTooLong marks a node below which the walk does not go.
var errTooLong = errors.New("its path is longer than a program can open")

// errSwapped marks a node that was not what lstat had said when it was opened.
var errSwapped = errors.New("it was replaced while it was read")

// walkOptions says what a walk reads.
type walkOptions struct {
	skip map[string]bool        // names at the top that are left out
	hash func(path string) bool // which files are hashed; nil: all
}

// walk reads everything below root, by lstat and raw bytes, never through a
// symbolic link, several folders at once. What cannot be read is a node with
// an error. walk itself fails only when ctx ends.
func walk(ctx context.Context, root *os.Root, opt walkOptions) (*manifest, error) {
	w := &walker{root: root, opt: opt, tasks: []walkTask{{folder: "."}}, open: 1, failed: map[string]error{}}
	w.wake = sync.NewCond(&w.mu)
	stop := context.AfterFunc(ctx, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.tasks, w.cancelled = nil, true
		w.wake.Broadcast()
	})
	defer stop()
	var group sync.WaitGroup
	for range max(2, runtime.GOMAXPROCS(0)) {
		group.Go(func() { w.work(ctx) })
	}
	group.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return newManifest(w.nodes, w.git, w.failed), nil
}

// walkTask is a folder to list, or some names of it to look at.
type walkTask struct {
	folder string
	info   fs.FileInfo // of the folder, from lstat; nil for the root
	names  []string    // nil: list the folder
}

type walker struct {
	root *os.Root
	opt  walkOptions

	mu        sync.Mutex
	wake      *sync.Cond
	tasks     []walkTask
	open      int // tasks that wait or are worked on
	cancelled bool
	nodes     []*node
	git       *node
	failed    map[string]error // folders that could not be listed
}

// work takes tasks until none is left and none can come.
func (w *walker) work(ctx context.Context) {
	buf := make([]byte, 128<<10)
	for {
		w.mu.Lock()
		for len(w.tasks) == 0 && w.open > 0 && !w.cancelled {
			w.wake.Wait()
		}
		if len(w.tasks) == 0 || w.cancelled {
			w.mu.Unlock()
			return
		}
		last := len(w.tasks) - 1
		task := w.tasks[last]
		w.tasks = w.tasks[:last]
		w.mu.Unlock()

		nodes, more, err := w.do(ctx, task, buf)

		w.mu.Lock()
		if err != nil {
			w.failed[task.folder] = err
		}
		for _, n := range nodes {
			if n.path == ".git" {
				w.git = n
			} else {
				w.nodes = append(w.nodes, n)
			}
		}
		if !w.cancelled {
			w.tasks = append(w.tasks, more...)
		}
		w.open += len(more) - 1
		w.wake.Broadcast()
		w.mu.Unlock()
	}
}

// do lists a folder, or looks at names of it. The error is that of the folder.
func (w *walker) do(ctx context.Context, task walkTask, buf []byte) (nodes []*node, more []walkTask, err error) {
	dir := w.root
	if task.folder != "." {
		sub, err := w.root.OpenRoot(task.folder)
		if err != nil {
			return nil, nil, err
		}
		defer sub.Close()
		if info, err := sub.Stat("."); err != nil {
			return nil, nil, err
		} else if task.info != nil && !os.SameFile(info, task.info) {
			return nil, nil, errSwapped
		}
		dir = sub
	}
	names := task.names
	if names == nil {
		f, err := dir.Open(".")
		if err != nil {
			return nil, nil, err
		}
		names, err = f.Readdirnames(-1)
		f.Close()
		if err != nil {
			return nil, nil, err
		}
		for len(names) > walkBatch {
			more = append(more, walkTask{folder: task.folder, info: task.info, names: names[:walkBatch]})
			names = names[walkBatch:]
		}
	}
	for _, name := range names {
		if ctx.Err() != nil {
			return nil, nil, nil
		}
		if task.folder == "." && w.opt.skip[name] {
			continue
		}
		at := path.Join(task.folder, name)
		n, info := w.look(ctx, dir, name, at, buf)
		if n == nil {
			continue
		}
		nodes = append(nodes, n)
		if n.kind == nodeFolder && n.err == nil && name != ".git" {
			more = append(more, walkTask{folder: at, info: info})
		}
	}
	return nodes, more, nil
}
