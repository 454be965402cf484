package gitops

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// feed is what a part of a pipeline passes on: the text of files.
type feed struct {
	files []word
	maybe []word // words that are files or a filter's own arguments
}

// pipeline are the stages of a statement, first to last; one without a pipe is
// its only stage.
func pipeline(s *syntax.Stmt) []*syntax.Stmt {
	var stages []*syntax.Stmt
	for pipe := pipeOf(s); pipe != nil; pipe = pipeOf(s) {
		stages = append(stages, pipe.Y)
		s = pipe.X
	}
	stages = append(stages, s)
	slices.Reverse(stages)
	return stages
}

// pipeOf is the last pipe of a statement that is a pipeline, else nil.
func pipeOf(s *syntax.Stmt) *syntax.BinaryCmd {
	if pipe, ok := s.Cmd.(*syntax.BinaryCmd); ok && (pipe.Op == syntax.Pipe || pipe.Op == syntax.PipeAll) {
		return pipe
	}
	return nil
}

// feedOf is what the last stage of a pipeline passes on. into, if there is
// one, is given what comes into each.
func feedOf(s *syntax.Stmt, vars shellVars, into map[*syntax.Stmt]feed) feed {
	var now feed
	for _, stage := range pipeline(s) {
		if into != nil {
			into[stage] = now
		}
		now = now.through(stage, vars)
	}
	return now
}

// through is what a command passes on of what comes into it and of the files
// that it names: all if it is cat or a filter of text, else nothing.
func (f feed) through(s *syntax.Stmt, vars shellVars) feed {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return feed{}
	}
	name := programName(readWord(call.Args[0]).text)
	if name != "cat" && !contains(words("tac head tail sed gsed awk gawk tr envsubst grep iconv fold expand tee sort uniq base64 zcat gunzip xzcat bzcat"), name) {
		return feed{}
	}
	out := feed{slices.Clone(f.files), slices.Clone(f.maybe)}
	for pick := range vars.choices(call) {
		for _, arg := range call.Args[1:] {
			for _, w := range vars.read(arg, pick) {
				switch {
				case strings.HasPrefix(w.start(), "-") || len(out.files)+len(out.maybe) > maxValues:
				case name == "cat":
					out.files = append(out.files, w)
				default:
					out.maybe = append(out.maybe, w)
				}
			}
		}
	}
	for _, r := range s.Redirs {
		if r.Op == syntax.RdrIn && r.Word != nil && len(out.files) <= maxValues {
			out.files = append(out.files, vars.read(r.Word, 0)...)
		}
	}
	return out
}

// substituted are the files of which a "$(cat x)" or "$(< x)" is the text.
func substituted(part syntax.WordPart) []word {
	sub, ok := part.(*syntax.CmdSubst)
	if !ok {
		return nil
	}
	var files []word
	for _, s := range sub.Stmts {
		if s.Cmd == nil {
			for _, r := range s.Redirs {
				if r.Op == syntax.RdrIn && r.Word != nil {
					files = append(files, readWord(r.Word))
				}
			}
			continue
		}
		files = append(files, feedOf(s, nil, nil).files...)
	}
	return files
}

// processOutput is the last command of a word "<(...)".
func processOutput(w *syntax.Word) *syntax.Stmt {
	if len(w.Parts) != 1 {
		return nil
	}
	sub, ok := w.Parts[0].(*syntax.ProcSubst)
	if !ok || sub.Op != syntax.CmdIn || len(sub.Stmts) == 0 {
		return nil
	}
	return sub.Stmts[len(sub.Stmts)-1]
}
