package feedback

// node reads the error with which a plain Node program ends, and the stacks of
// test runners that have no format of their own here.
type node struct {
	f     *findings
	stack jsStack
}

func newNode(f *findings) runner {
	f.onlyAlone = true
	return &node{f: f, stack: jsStack{f: f}}
}

func (n *node) line(l *line) {
	fatal, load := n.stack.line(l)
	if fatal {
		n.f.recognise(l)
	}
	if load {
		n.f.builds(&line{no: l.no, text: n.stack.fault}, 1)
	}
}

func (n *node) end() { n.stack.flush() }
