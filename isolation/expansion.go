package isolation

import "strings"

// expansion reads $NAME, ${...}, $(...) or `...` and copies it as spelled.
func (s *scanner) expansion(text *strings.Builder) string {
	start := s.pos
	reason := s.skipExpansion()
	text.WriteString(s.text[start:s.pos])
	return reason
}

func (s *scanner) skipExpansion() string {
	const positional = "the command is appended to the line by itself and is not $1; end the line in sh -c"
	if s.text[s.pos] == '`' {
		return s.skipUntil('`')
	}
	s.pos++
	if s.done() {
		return ""
	}
	switch c := s.text[s.pos]; {
	case c == '(':
		return s.skipUntil(')')
	case c == '{':
		if inner := strings.TrimLeft(s.text[s.pos+1:], "#"); inner != "" && isPositional(inner[0]) {
			return positional
		}
		return s.skipUntil('}')
	case isPositional(c):
		return positional
	}
	return "" // a name; its letters are read as text
}

// isPositional recognises the parameters that hold the command.
func isPositional(c byte) bool { return c >= '0' && c <= '9' || c == '@' || c == '*' }

// skipUntil skips from an opening character to behind the closing one, over
// quotes and what is nested.
func (s *scanner) skipUntil(closing byte) string {
	opening := s.text[s.pos]
	for s.pos++; !s.done(); {
		c := s.text[s.pos]
		reason := ""
		switch {
		case c == closing:
			s.pos++
			return ""
		case c == '\\':
			s.pos = min(s.pos+2, len(s.text))
		case c == '\'' || c == '"':
			reason = s.quoted(&strings.Builder{})
		case c == '$' || c == '`':
			reason = s.skipExpansion()
		case c == '(' && closing == ')':
			reason = s.skipUntil(')')
		default:
			s.pos++
		}
		if reason != "" {
			return reason
		}
	}
	return "a " + string(opening) + " is not closed"
}
