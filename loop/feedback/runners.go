package feedback

// runner reads the text of one test runner, compiler, linter or interpreter.
// It sees every line of the log, also those of others, and hands what it
// recognises to the findings that it was made with.
type runner interface {
	// line takes the next line. It must not keep l or its text.
	line(l *line)
	// end is called once, after the last line.
	end()
}

// format is one row of the table: a text format that can be read.
type format struct {
	name string
	// test says that the format is a test runner's, whose word about the run
	// counts. Others only say where to look.
	test bool
	// yields names formats whose text holds this one's, so that this one's
	// findings are left out where they were recognised.
	yields []string
	// refines names the format that this one is a dialect of: where both were
	// recognised, the log is named by this one.
	refines string
	start   func(f *findings) runner
}

// formats is the table of everything that is read. A new format is one file
// and one row.
func formats() []format {
	return []format{
		{name: "go test", test: true, start: newGoTest},
		{name: "pytest", test: true, start: newPytest},
		{name: "unittest", test: true, start: newUnittest},
		{name: "node:test", test: true, start: newNodeTest},
		{name: "bats", test: true, refines: "tap", start: newBats},
		{name: "tap", test: true, yields: []string{"node:test"}, start: newTAP},
		{name: "cargo test", test: true, start: newCargo},
		{name: "go", start: newGoStack},
		{name: "shellcheck", start: newShellcheck},
		{name: "cc", start: newCC},
		{name: "tsc", start: newTSC},
		{name: "eslint", start: newESLint},
		{name: "rustc", start: newRustc},
		{name: "java", start: newJava},
		{name: "python", yields: []string{"unittest", "pytest"}, start: newPython},
		{name: "node", yields: []string{"node:test"}, start: newNode},
		{name: "", start: newGeneric},
	}
}
