package feedback

import (
	"regexp"
	"slices"
	"strings"
)

// minSecret is the shortest value that is taken for a secret: shorter ones
// ("true", "8080") would black out ordinary text.
const minSecret = 8

// redacted stands for what was taken out.
const redacted = "[redacted]"

// Redactor takes secrets out of text. It is safe for concurrent use.
type Redactor struct {
	values []string // longest first
	tokens []token
}

type token struct {
	hint string // without it the expression is not tried
	re   *regexp.Regexp
}

// NewRedactor makes a Redactor for known token shapes and the given values
// (the values of variables that were passed to a command). Values shorter than
// 8 bytes are left alone. Of a value with several lines each line counts.
func NewRedactor(values []string) *Redactor {
	r := &Redactor{tokens: tokens()}
	for _, v := range values {
		for _, s := range append([]string{v}, strings.Split(v, "\n")...) {
			if s = strings.TrimSpace(s); len(s) >= minSecret {
				r.values = append(r.values, s)
			}
		}
	}
	slices.SortFunc(r.values, func(a, b string) int { return len(b) - len(a) })
	r.values = slices.Compact(r.values)
	return r
}

// tokens are the shapes of well-known secrets. A shape asks for fewer
// characters than a whole token has, so that one cut in the middle goes too.
// Only short prefixes, which end common words ("task-", "desk-"), need a border
// before them.
func tokens() []token {
	of := func(hint, re string) token { return token{hint, regexp.MustCompile(re)} }
	return []token{
		of("-----BEGIN ", `-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?s:.*?)(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|$)`),
		of("gh", `gh[pousr]_[A-Za-z0-9]{16,}`),
		of("github_pat_", `github_pat_[A-Za-z0-9_]{16,}`),
		of("glpat-", `glpat-[A-Za-z0-9_-]{16,}`),
		of("sk-", `\bsk-[A-Za-z0-9_-]{16,}`),
		of("xox", `\bxox[abposr]-[A-Za-z0-9-]{10,}`),
		of("AKIA", `AKIA[0-9A-Z]{12,}`),
		of("ASIA", `ASIA[0-9A-Z]{12,}`),
		of("AIza", `AIza[0-9A-Za-z_-]{30,}`),
		of("npm_", `npm_[A-Za-z0-9]{30,}`),
		of("eyJ", `eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?`),
	}
}

// Text returns s without secrets.
func (r *Redactor) Text(s string) string {
	for _, v := range r.values {
		s = strings.ReplaceAll(s, v, redacted)
	}
	for _, t := range r.tokens {
		if strings.Contains(s, t.hint) {
			s = t.re.ReplaceAllString(s, redacted)
		}
	}
	return s
}

// lines redacts lines that follow each other in one log, so that a value or a
// key that spans several is seen. Lines that were part of one become one.
func (r *Redactor) lines(lines []string) []string {
	if len(lines) == 0 {
		return nil
	}
	return strings.Split(r.Text(strings.Join(lines, "\n")), "\n")
}
