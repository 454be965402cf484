package feedback

// python reads the traceback with which a plain Python program ends.
type python struct {
	f     *findings
	stack pyStack
	text  block
}

func newPython(f *findings) runner {
	p := &python{f: f}
	f.onlyAlone = true
	p.stack = pyStack{f: f, raised: p.raised}
	return p
}

func (p *python) line(l *line) {
	if p.stack.line(l) {
		if p.stack.inside {
			p.flush()
		}
		return
	}
	if p.text.lines > 0 {
		if len(l.text) == 0 {
			p.flush()
			return
		}
		p.text.add(l.no, l.text)
	}
}

// raised takes the exception. One that a module's top level raises while it is
// imported means that the program never started.
func (p *python) raised(l *line, text []byte) {
	p.f.recognise(l)
	p.f.fail(l)
	p.flush()
	p.text.add(l.no, text)
	if !pyImportFault(text) || p.stack.outside {
		return
	}
	p.f.builds(l, 1)
	if name, ok := pyUndefined(text); ok {
		p.f.missing(name, p.stack.importer)
	} else {
		p.f.unexplained++
	}
}

func (p *python) flush() {
	p.f.assertBlock(&p.text)
}

func (p *python) end() {
	p.stack.st.end(p.f, true)
	p.flush()
}
