package gitops

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"strings"
)

// conversionAttributes are what decides whether a file's bytes in a worktree
// differ from its blob (gitattributes(5)); crlf is the old name of text.
var conversionAttributes = []string{"text", "crlf", "eol", "ident", "working-tree-encoding", "filter"}

// attributes are the values of conversionAttributes for one path, in that
// order: "set", "unset", "unspecified" or the value.
type attributes [6]string

func (a attributes) text() string     { return a[0] }
func (a attributes) crlf() string     { return a[1] }
func (a attributes) eol() string      { return a[2] }
func (a attributes) ident() bool      { return a[3] == "set" }
func (a attributes) encoding() string { return given(a[4]) }

// filter is the name of the filter, "" for none.
func (a attributes) filter() string { return given(a[5]) }

// filtered says whether some filter program stands between blob and file.
func (a attributes) filtered() bool { return a.filter() != "" }

// given is a value that an attribute was set to.
func given(value string) string {
	if value == "unset" || value == "unspecified" {
		return ""
	}
	return value
}

// converts says whether git may change bytes on the way between blob and
// file. autocrlf is whether core.autocrlf does so without attributes.
func (a attributes) converts(autocrlf bool) bool {
	if a.ident() || a.encoding() != "" {
		return true
	}
	text := a.text()
	if text == "unspecified" {
		text = a.crlf()
	}
	if text == "unset" {
		return false
	}
	return text != "unspecified" || given(a.eol()) != "" || autocrlf
}

// checksOutLF says whether git writes line ends as they are in the blob, and
// changes nothing else. Bytes without a carriage return are then equal in blob
// and file. The order of attributes and configuration is that of
// gitattributes(5), "text" and "eol", and git-config(1), core.eol.
func (a attributes) checksOutLF(s settings) bool {
	if a.ident() || a.encoding() != "" {
		return false
	}
	text := a.text()
	if text != "set" && text != "unset" && text != "auto" && text != "input" {
		text = a.crlf()
	}
	switch {
	case text == "unset":
		return true
	case a.eol() == "lf":
		return true
	case a.eol() == "crlf":
		return false
	case text == "input" || s.autocrlf == "input":
		return true
	case s.autocrlf == "true":
		return false
	case text == "set" || text == "auto":
		return s.eol == "lf" || s.eol != "crlf" && runtime.GOOS != "windows"
	}
	return true
}

// line is the right-hand side of an attributes line that says the same.
func (a attributes) line() string {
	var words []string
	for i, name := range conversionAttributes {
		switch value := a[i]; {
		case name == "filter":
			words = append(words, "-filter")
		case value == "set":
			words = append(words, name)
		case value == "unset":
			words = append(words, "-"+name)
		case value == "unspecified":
			words = append(words, "!"+name)
		default:
			words = append(words, name+"="+value)
		}
	}
	return strings.Join(words, " ")
}

// attributesOf reads the base's attributes of paths, in one git process. It
// returns nil, and starts none, where no file gives any and core.autocrlf does
// nothing.
func (n *normalizer) attributesOf(ctx context.Context, paths []string) (map[string]attributes, error) {
	if len(paths) == 0 || !n.attributes && !n.converts {
		return nil, nil
	}
	args := append([]string{"check-attr", "-z", "--stdin"}, conversionAttributes...)
	out, err := n.git(ctx, RunOptions{Stdin: nulList(paths)}, args...)
	if err != nil {
		return nil, err
	}
	return parseAttributes(out)
}

// parseAttributes reads "<path> NUL <attribute> NUL <value> NUL", repeated.
func parseAttributes(out []byte) (map[string]attributes, error) {
	place := map[string]int{}
	for i, name := range conversionAttributes {
		place[name] = i
	}
	set := map[string]attributes{}
	fields := bytes.Split(out, []byte{0})
	if len(fields)%3 != 1 || len(fields[len(fields)-1]) != 0 {
		return nil, fmt.Errorf("read the output of check-attr: it is cut short")
	}
	for i := 0; i+3 < len(fields); i += 3 {
		at, ok := place[string(fields[i+1])]
		if !ok {
			return nil, fmt.Errorf("read the output of check-attr: it tells of %q, which was not asked", fields[i+1])
		}
		a := set[string(fields[i])]
		a[at] = string(fields[i+2])
		set[string(fields[i])] = a
	}
	return set, nil
}
