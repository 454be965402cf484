package gitops

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// readWord removes quotes, and looks into no expansion.
func readWord(w *syntax.Word) word { return shellVars(nil).readOne(w, 0) }

// maxExpanded is how long a word may become, in bytes, where variables are put
// in; of a longer one nothing is known.
const maxExpanded = 1 << 16

// readOne removes quotes and puts in the values of variables that are known:
// of each, the one with this number.
func (v shellVars) readOne(w *syntax.Word, pick int) word {
	out := word{exact: true}
	expansion := func(part syntax.WordPart, quoted bool) {
		value := word{}
		if p, ok := part.(*syntax.ParamExp); ok {
			if values := v.values(p); len(values) > 0 {
				value = values[min(pick, len(values)-1)]
			}
		}
		if v != nil {
			out.from = append(append(out.from, value.from...), substituted(part)...)
		}
		if value.exact {
			out.text += value.text
			out.glob = out.glob || value.glob && !quoted
			return
		}
		if out.exact {
			out.head = out.text + value.head
		}
		out.text, out.exact = value.text, false
	}
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if strings.ContainsAny(p.Value, "*?[") {
				out.glob = true
			}
			out.text += unescape(p.Value, "")
		case *syntax.SglQuoted:
			if p.Dollar && strings.Contains(p.Value, `\`) {
				expansion(part, true)
			} else {
				out.text += p.Value
			}
		case *syntax.DblQuoted:
			for _, inner := range p.Parts {
				if lit, ok := inner.(*syntax.Lit); ok {
					out.text += unescape(lit.Value, "$`\"\\\n")
				} else {
					expansion(inner, true)
				}
			}
		default:
			expansion(part, false)
		}
		if len(out.text) > maxExpanded && len(v) > 0 {
			return word{}
		}
	}
	return out
}

// unescape removes backslashes; with a list, only those before one of its
// characters. A backslash before a line end joins the lines.
func unescape(s, only string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (only == "" || strings.IndexByte(only, s[i+1]) >= 0) {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		out.WriteByte(s[i])
	}
	return out.String()
}
