package isolation

import (
	"regexp"
	"strings"
)

// word is one word of a wrapper's command line, without its quotes. Expansions
// stand in it as they were spelled.
type word struct {
	text string
	raw  string // with its quotes
}

var assignment = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)

// splitVia reads a wrapper's command line as sh would (POSIX sh, 2.2 and 2.3)
// and refuses what is not one simple command that another argument can follow.
// The error is a *ViaError.
func splitVia(via string) ([]word, error) {
	fail := func(reason string) ([]word, error) { return nil, &ViaError{Via: via, Reason: reason} }
	if strings.ContainsAny(via, "\n\r\x00") {
		return fail("a wrapper is one line; put more than that in a script and name the script")
	}
	s := &scanner{text: via}
	var words []word
	for {
		s.skipBlanks()
		if s.done() {
			break
		}
		w, reason := s.word()
		if reason != "" {
			return fail(reason)
		}
		words = append(words, w)
	}
	switch {
	case len(words) == 0 || words[0].text == "":
		return fail("it names no program")
	case assignment.MatchString(words[0].raw):
		return fail("it starts with an assignment; write env in front of it")
	case strings.HasPrefix(words[0].text, "-"):
		return fail("it starts with an option instead of a program")
	}
	return words, nil
}

// scanner walks over a command line.
type scanner struct {
	text string
	pos  int
}

func (s *scanner) done() bool { return s.pos >= len(s.text) }

func (s *scanner) skipBlanks() {
	for !s.done() && (s.text[s.pos] == ' ' || s.text[s.pos] == '\t') {
		s.pos++
	}
}

// word reads the word at the current position. A reason says why it cannot be.
func (s *scanner) word() (word, string) {
	start := s.pos
	var text strings.Builder
	if s.text[s.pos] == '#' {
		return word{}, "# starts a comment, in which the command would vanish; quote it"
	}
	for !s.done() {
		c := s.text[s.pos]
		switch c {
		case ' ', '\t':
			return word{text: text.String(), raw: s.text[start:s.pos]}, ""
		case ';', '&', '|', '(', ')', '<', '>':
			return word{}, "an unquoted " + string(c) + " makes it more than one simple command; put that in a script and name the script"
		case '\'', '"':
			if reason := s.quoted(&text); reason != "" {
				return word{}, reason
			}
		case '\\':
			if s.pos+1 == len(s.text) {
				return word{}, `a \ at its end would join it with the command`
			}
			text.WriteByte(s.text[s.pos+1])
			s.pos += 2
		case '$', '`':
			if reason := s.expansion(&text); reason != "" {
				return word{}, reason
			}
		default:
			text.WriteByte(c)
			s.pos++
		}
	}
	return word{text: text.String(), raw: s.text[start:]}, ""
}

// quoted reads a quoted part, at its opening quote.
func (s *scanner) quoted(text *strings.Builder) string {
	q := s.text[s.pos]
	s.pos++
	for !s.done() {
		c := s.text[s.pos]
		switch {
		case c == q:
			s.pos++
			return ""
		case q == '"' && c == '\\' && s.pos+1 < len(s.text):
			next := s.text[s.pos+1]
			if !strings.ContainsRune("$`\"\\", rune(next)) {
				text.WriteByte('\\')
			}
			text.WriteByte(next)
			s.pos += 2
		case q == '"' && (c == '$' || c == '`'):
			if reason := s.expansion(text); reason != "" {
				return reason
			}
		default:
			text.WriteByte(c)
			s.pos++
		}
	}
	return "a " + string(q) + " quote is not closed"
}
