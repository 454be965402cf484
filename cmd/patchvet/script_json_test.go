package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdJSON compares a field: `json FILE path.to.field WANT`. FILE may be stdout.
// Strings compare as they are, everything else as compact JSON.
func cmdJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: json FILE FIELD WANT")
	}
	got := render(lookup(ts, args[0], args[1]))
	if (got == args[2]) == neg {
		ts.Fatalf("%s: %s is %s", args[0], args[1], got)
	}
}

// cmdJSONLen compares the length of an array: `jsonlen FILE FIELD N`.
func cmdJSONLen(ts *testscript.TestScript, neg bool, args []string) {
	list, ok := lookup(ts, args[0], args[1]).([]any)
	if !ok {
		ts.Fatalf("%s: %s is not an array", args[0], args[1])
	}
	if (strconv.Itoa(len(list)) == args[2]) == neg {
		ts.Fatalf("%s: %s has %d elements", args[0], args[1], len(list))
	}
}

// lookup reads a field of a JSON file. A missing field is an error: a field
// that is never written must not pass for an empty one.
func lookup(ts *testscript.TestScript, file, field string) any {
	var v any
	if err := json.Unmarshal([]byte(ts.ReadFile(file)), &v); err != nil {
		ts.Fatalf("%s: %v", file, err)
	}
	for _, name := range strings.Split(field, ".") {
		switch node := v.(type) {
		case map[string]any:
			next, ok := node[name]
			if !ok {
				ts.Fatalf("%s: no field %s in %s", file, name, field)
			}
			v = next
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(node) {
				ts.Fatalf("%s: no element %s in %s", file, name, field)
			}
			v = node[i]
		default:
			ts.Fatalf("%s: %s leads nowhere at %s", file, field, name)
		}
	}
	return v
}

func render(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

func gitIn(ts *testscript.TestScript, dir string, args ...string) string {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + ts.Getenv("PATH"), "HOME=" + ts.Getenv("HOME"), "GIT_CONFIG_NOSYSTEM=1"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		ts.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}
