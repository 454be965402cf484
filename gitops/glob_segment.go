package gitops

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// segment is what a pattern says of one name of a path.
type segment struct {
	star bool // "**": any number of names
	alts []alternative
	fold []alternative // to be compared with the folded name, nil: only the name itself counts
	same bool          // fold is alts
}

// alternative is a segment without braces, in the form that is fastest to
// compare.
type alternative struct {
	kind altKind
	text string
	tail string // of altAround
}

type altKind int

const (
	altGeneral altKind = iota // left to doublestar
	altLiteral
	altPrefix // text and then anything
	altSuffix // anything and then text
	altAround // text, anything, and then tail
)

// maxAlternatives is how many names the braces of one segment may spell out
// before it is left to doublestar as it is.
const maxAlternatives = 256

// newSegment compiles a part of a valid pattern. Where it has wildcards and
// capitals ("*Test.java"), the capitals are what it tells names apart by, and
// other spellings do not count.
func newSegment(pattern string) segment {
	if pattern == "**" {
		return segment{star: true}
	}
	s := segment{alts: alternatives(pattern)}
	if folded := fold(pattern); folded == pattern || !strings.ContainsAny(pattern, "*?[") {
		s.fold, s.same = alternatives(folded), folded == pattern
	}
	return s
}

func alternatives(pattern string) []alternative {
	if strings.Contains(pattern, `\`) {
		return []alternative{{kind: altGeneral, text: pattern}}
	}
	expanded, ok := expandBraces(pattern)
	if !ok {
		return []alternative{{kind: altGeneral, text: pattern}}
	}
	var all []alternative
	for _, p := range expanded {
		head, tail, hasStar := strings.Cut(p, "*")
		switch {
		case strings.ContainsAny(head, "?[") || strings.ContainsAny(tail, "*?["):
			all = append(all, alternative{kind: altGeneral, text: p})
		case !hasStar:
			all = append(all, alternative{kind: altLiteral, text: p})
		case tail == "":
			all = append(all, alternative{kind: altPrefix, text: head})
		case head == "":
			all = append(all, alternative{kind: altSuffix, text: tail})
		default:
			all = append(all, alternative{kind: altAround, text: head, tail: tail})
		}
	}
	return all
}

// expandBraces spells out "{a,b}c" as "ac" and "bc". It gives up on classes,
// whose brackets may hold braces, and on too many alternatives.
func expandBraces(pattern string) ([]string, bool) {
	open := strings.IndexByte(pattern, '{')
	if open < 0 {
		return []string{pattern}, true
	}
	if strings.ContainsAny(pattern, "[]") {
		return nil, false
	}
	depth, start := 0, open+1
	var choices []string
	for i := open; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '{':
			depth++
		case c == ',' && depth == 1:
			choices = append(choices, pattern[start:i])
			start = i + 1
		case c == '}':
			if depth--; depth > 0 {
				continue
			}
			choices = append(choices, pattern[start:i])
			var all []string
			for _, choice := range choices {
				rest, ok := expandBraces(pattern[:open] + choice + pattern[i+1:])
				if all = append(all, rest...); !ok || len(all) > maxAlternatives {
					return nil, false
				}
			}
			return all, true
		}
	}
	return nil, false
}

// match says whether the segment describes a name; folded is the name's
// folded form.
func (s segment) match(name, folded string) bool {
	for _, a := range s.alts {
		if a.match(name) {
			return true
		}
	}
	if name == folded && s.same {
		return false
	}
	for _, a := range s.fold {
		if a.match(folded) {
			return true
		}
	}
	return false
}

func (a alternative) match(name string) bool {
	switch a.kind {
	case altLiteral:
		return name == a.text
	case altPrefix:
		return strings.HasPrefix(name, a.text)
	case altSuffix:
		return strings.HasSuffix(name, a.text)
	case altAround:
		return len(name) >= len(a.text)+len(a.tail) && strings.HasPrefix(name, a.text) && strings.HasSuffix(name, a.tail)
	}
	return doublestar.MatchUnvalidated(a.text, name)
}
