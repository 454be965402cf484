package gitops

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// command is a simple command of a shell text (POSIX shell, 2.9.1).
type command struct {
	words   []word
	input   []word // files that < or cat connects to standard input
	piped   []word // words before a pipe that may be such files
	heredoc string // what << gives to standard input
	// observed says that another command looks at its output and decides; its
	// own exit code is lost.
	observed bool
}

// word is one word after quote removal. Where it has an expansion, whose
// value is not known, only the literal text after the last one is kept.
type word struct {
	text  string
	exact bool
	head  string // the literal text before the first expansion, of a word that is not exact
	glob  bool   // has an unquoted *, ? or [
	from  []word // files whose content it holds ("$(cat x)")
}

// start is the literal text that the word begins with.
func (w word) start() string {
	if w.exact {
		return w.text
	}
	return w.head
}

// parseShell finds the simple commands of a text, also those inside lists,
// functions, substitutions and compound commands, in their order. A text that
// is no shell script is read line by line; of a line that is none, any word
// may be a command.
func parseShell(text string) []command {
	if f, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), ""); err == nil {
		return simpleCommands(f)
	}
	var all []command
	for line := range strings.Lines(text) {
		f, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
		if err == nil {
			all = append(all, simpleCommands(f)...)
			continue
		}
		var c command
		for _, w := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\r\n;&|()`", r) }) {
			c.words = append(c.words, word{text: strings.Trim(w, `"'`), exact: !strings.ContainsRune(w, '$')})
		}
		for i := range c.words {
			all = append(all, command{words: c.words[i:]})
		}
	}
	return all
}

func simpleCommands(f *syntax.File) []command {
	var all []command
	observed := observedParts(f)
	vars := assignments(f)
	feeds, inner := map[*syntax.Stmt]feed{}, map[*syntax.Stmt]bool{}
	syntax.Walk(f, func(n syntax.Node) bool {
		if set, ok := n.(*syntax.DeclClause); ok {
			c := command{words: []word{{text: "export", exact: true}}}
			for _, a := range set.Args {
				c.words = append(c.words, vars.assigned(a)...)
			}
			all = append(all, c)
		}
		stmt, ok := n.(*syntax.Stmt)
		if !ok || len(all) > maxCommands {
			return true
		}
		if !inner[stmt] { // the whole pipeline comes first
			feedOf(stmt, vars, feeds)
			for pipe := pipeOf(stmt); pipe != nil; pipe = pipeOf(pipe.X) {
				inner[pipe.X], inner[pipe.Y] = true, true
			}
		}
		call, ok := stmt.Cmd.(*syntax.CallExpr)
		if !ok {
			return true
		}
		c := command{observed: observed.hold(stmt), input: feeds[stmt].files, piped: feeds[stmt].maybe}
		for _, r := range stmt.Redirs {
			switch {
			case r.Hdoc != nil:
				c.heredoc = readWord(r.Hdoc).text
			case r.Op == syntax.RdrIn && r.Word != nil:
				c.input = append(c.input, vars.read(r.Word, 0)...)
			case r.Op == syntax.WordHdoc && r.Word != nil:
				text := vars.readOne(r.Word, 0)
				c.heredoc, c.input = text.text, append(c.input, text.from...)
			}
		}
		var set []word
		for _, a := range call.Assigns {
			set = append(set, vars.assigned(a)...)
		}
		if len(set) > 0 {
			all = append(all, command{words: append([]word{{text: "export", exact: true}}, set...)})
		}
		for pick := range vars.choices(call) {
			c.words = nil
			for _, w := range call.Args {
				if inner := processOutput(w); inner != nil {
					c.input = append(c.input, feedOf(inner, vars, nil).files...)
					c.words = append(c.words, word{text: "/dev/stdin", exact: true})
					continue
				}
				c.words = append(c.words, vars.read(w, pick)...)
			}
			if len(c.words) > 0 {
				all = append(all, c)
			}
		}
		return true
	})
	return all
}

// spans are parts of a shell text.
type spans []struct{ from, to uint }

func (s spans) hold(n syntax.Node) bool {
	for _, span := range s {
		if span.from <= n.Pos().Offset() && n.End().Offset() <= span.to {
			return true
		}
	}
	return false
}

// observedParts are the substitutions of a text, and what stands before the
// last command of a pipeline: what they print is looked at. A pipeline that
// ends in a command which only shows what it reads decides nothing, and there
// all of it counts.
func observedParts(f *syntax.File) spans {
	var out spans
	add := func(n syntax.Node) {
		out = append(out, struct{ from, to uint }{n.Pos().Offset(), n.End().Offset()})
	}
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			add(n)
		case *syntax.BinaryCmd:
			if (n.Op == syntax.Pipe || n.Op == syntax.PipeAll) && !onlyShows(n.Y) {
				add(n.X)
			}
		}
		return true
	})
	return out
}

// onlyShows reports a command that succeeds whatever it reads.
func onlyShows(s *syntax.Stmt) bool {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	switch programName(readWord(call.Args[0]).text) {
	case "tee", "cat", "head", "tail", "less", "more", "ts", "sed", "awk", "tr", "sort", "cut", "wc", "true", ":":
		return true
	}
	return false
}
