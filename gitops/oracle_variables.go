package gitops

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxValues is how many values of one variable, and variants of one command,
// are looked at.
const maxValues = 64

// shellVars are the values that a shell text itself gives to its variables, by
// assignment or as the words of a loop: all of them, since which of them holds
// at a command is not known. An array is under its name and "[@]".
type shellVars map[string][]word

// assignments reads a text from its beginning to its end.
func assignments(f *syntax.File) shellVars {
	v := shellVars{}
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Assign:
			if n.Name == nil || n.Append {
				break
			}
			if n.Value != nil {
				v.add(n.Name.Value, v.readOne(n.Value, 0))
			}
			if n.Array != nil {
				for _, e := range n.Array.Elems {
					if e.Value != nil {
						v.add(n.Name.Value+"[@]", v.read(e.Value, 0)...)
					}
				}
			}
		case *syntax.ForClause:
			if loop, ok := n.Loop.(*syntax.WordIter); ok && loop.Name != nil {
				for _, item := range loop.Items {
					for pick := range v.choices(item) {
						v.add(loop.Name.Value, v.read(item, pick)...)
					}
				}
			}
		}
		return true
	})
	return v
}

func (v shellVars) add(name string, values ...word) {
	for _, w := range values {
		if len(v[name]) < maxValues && len(w.text) <= maxExpanded/16 {
			w.glob = w.glob || w.exact && strings.ContainsAny(w.text, "*?[")
			v[name] = append(v[name], w)
		}
	}
}

// values are what an expansion can stand for: "$X", "${X}", and with a
// default ("${X:-d}") that one too.
func (v shellVars) values(p *syntax.ParamExp) []word {
	if p.Param == nil || p.Excl || p.Length || p.Width || p.Index != nil || p.Slice != nil || p.Repl != nil {
		return nil
	}
	values := v[p.Param.Value]
	if p.Exp == nil {
		return values
	}
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if p.Exp.Word != nil {
			return append(values[:len(values):len(values)], v.readOne(p.Exp.Word, 0))
		}
	}
	return nil
}

// choices is how many variants of a node there are, at least one.
func (v shellVars) choices(n syntax.Node) int {
	most := 1
	if len(v) == 0 {
		return most
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		if p, ok := n.(*syntax.ParamExp); ok && p.Param != nil {
			count := len(v[p.Param.Value])
			if p.Exp != nil {
				count++ // a default
			}
			most = max(most, count)
		}
		return true
	})
	return min(most, maxValues)
}

// read is the words that a word becomes: a variable without quotes is split,
// and an array is all its elements.
func (v shellVars) read(w *syntax.Word, pick int) []word {
	p, quoted := onlyParameter(w)
	if p == nil {
		return []word{v.readOne(w, pick)}
	}
	if p.Param != nil && p.Index != nil {
		if index, ok := p.Index.(*syntax.Word); ok && (index.Lit() == "@" || index.Lit() == "*") {
			if list := v[p.Param.Value+"[@]"]; len(list) > 0 {
				return list
			}
		}
	}
	whole := v.readOne(w, pick)
	if quoted || !whole.exact || len(whole.from) > 0 || !strings.ContainsAny(whole.text, " \t\n") {
		return []word{whole}
	}
	var split []word
	for text := range strings.FieldsSeq(whole.text) {
		split = append(split, word{text: text, exact: true, glob: strings.ContainsAny(text, "*?[")})
	}
	return split
}

// assigned is an assignment as the word that env would take.
func (v shellVars) assigned(a *syntax.Assign) []word {
	if a.Name == nil || a.Value == nil {
		return nil
	}
	w := v.readOne(a.Value, 0)
	if !w.exact && a.Name.Value == "PYTHONPATH" {
		return eachFolder(a)
	}
	if w.exact {
		w.text = a.Name.Value + "=" + w.text
	} else {
		w.head = a.Name.Value + "=" + w.head
	}
	return []word{w}
}

// eachFolder is an assignment of a list of which parts are not known: one
// assignment for each piece of literal text.
func eachFolder(a *syntax.Assign) (all []word) {
	syntax.Walk(a.Value, func(n syntax.Node) bool {
		text := ""
		switch n := n.(type) {
		case *syntax.Lit:
			text = n.Value
		case *syntax.SglQuoted:
			text = n.Value
		case *syntax.ParamExp, *syntax.CmdSubst:
			return false
		}
		for folder := range strings.SplitSeq(text, ":") {
			if folder = strings.Trim(folder, "/"); folder != "" {
				all = append(all, word{text: a.Name.Value + "=" + folder, exact: true})
			}
		}
		return true
	})
	return all
}

// onlyParameter is the expansion that a word consists of.
func onlyParameter(w *syntax.Word) (p *syntax.ParamExp, quoted bool) {
	if len(w.Parts) != 1 {
		return nil, false
	}
	switch part := w.Parts[0].(type) {
	case *syntax.ParamExp:
		return part, false
	case *syntax.DblQuoted:
		if len(part.Parts) == 1 {
			p, _ = part.Parts[0].(*syntax.ParamExp)
			return p, true
		}
	}
	return nil, false
}
