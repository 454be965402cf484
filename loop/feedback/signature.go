package feedback

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
)

// signature hashes what makes a failure the same failure again; own are the
// loci that are more than mentions. Where the log names no test, assertion or
// place, its last lines stand for them; "" is the signature of a log without
// any text.
func signature(rep Report, own []string, opt Options) string {
	n := newNormalizer(opt)
	var parts []string
	add := func(kind string, list []string, norm func(string) string) {
		var out []string
		for _, s := range list {
			out = append(out, norm(s))
		}
		slices.Sort(out)
		for _, s := range slices.Compact(out) {
			parts = append(parts, kind+s)
		}
	}
	add("test ", rep.TestName, n.name)
	add("assert ", rep.Assertion, n.text)
	add("at ", own, pathOnly)
	if len(parts) == 0 {
		for _, s := range append(append([]string(nil), rep.Failing...), strings.Split(rep.OutputTail, "\n")...) {
			if s = n.text(s); strings.TrimSpace(s) != "" {
				parts = append(parts, "line "+s)
			}
		}
	}
	if len(parts) == 0 {
		return ""
	}
	sum := sha256.Sum256([]byte("1\n" + rep.Runner + "\n" + strings.Join(parts, "\n\x00")))
	return hex.EncodeToString(sum[:])
}

// pathOnly drops the line number of a locus: edits above it move it.
func pathOnly(s string) string { return s[:strings.LastIndexByte(s, ':')] }

// normalizer takes out of a text what varies between runs of one failure.
type normalizer struct {
	roots    []string
	steps    []step
	nameless int // the first steps, which names of tests go through too
}

type step struct {
	re   *regexp.Regexp
	with string
}

func newNormalizer(opt Options) *normalizer {
	n := &normalizer{}
	for _, root := range []string{opt.Root, opt.UserRoot} {
		if len(root) > 1 {
			n.roots = append(n.roots, root)
		}
	}
	of := func(re, with string) { n.steps = append(n.steps, step{regexp.MustCompile(re), with}) }
	of(`0[xX][0-9a-fA-F]+`, "<hex>")
	of(`(?:/private)?(?:/tmp|/var/tmp|/var/folders|/dev/shm)/[^\s"'`+"`"+`:,;)\]}>]*`, "<tmp>")
	of(`\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b`, "<id>")
	n.nameless = len(n.steps)
	of(`\b[0-9a-f]{16,}\b`, "<id>")
	of(`(?i)\b(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* [0-9]+`, "<date>")
	of(`\b(?:[0-9]+(?:\.[0-9]+)?(?:ns|us|µs|ms|s|m|h|d))+\b`, "<#>")
	of(`[0-9]+(?:[.:,_TZ+/-]*[0-9]+)*`, "<#>")
	return n
}

func (n *normalizer) text(s string) string { return n.apply(s, len(n.steps)) }

func (n *normalizer) name(s string) string { return n.apply(s, n.nameless) }

func (n *normalizer) apply(s string, steps int) string {
	for _, root := range n.roots {
		s = strings.ReplaceAll(s, root, "")
	}
	for _, st := range n.steps[:steps] {
		s = st.re.ReplaceAllString(s, st.with)
	}
	return s
}
