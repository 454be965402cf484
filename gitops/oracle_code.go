package gitops

import (
	"regexp"
	"strings"
)

// What program text of a command line loads: Python's import statements, and
// quoted names (require, import(), open, run_path, do, load).
var (
	pythonImport = regexp.MustCompile(`\b(?:from\s+([\w.]+)\s+)?import\s+\(?\s*([\w.]+(?:\s+as\s+\w+)?(?:\s*,\s*[\w.]+(?:\s+as\s+\w+)?)*)`)
	quotedName   = regexp.MustCompile(`"([^"\n]{1,300})"|'([^'\n]{1,300})'|` + "`([^`\n]{1,300})`")
)

// code looks at program text that is no shell's (python -c, node -e). What it
// loads is most often the program under repair, so a file counts only where
// its path says that it judges.
func (o *oracle) code(text string, at *stand) {
	inside := at.inside()
	inside.subject = true
	load := func(name string, endings ...string) {
		for _, ending := range endings {
			if w := (word{text: name + ending, exact: true}); name != "" && o.has(w, &inside) {
				o.run(w, &inside, false)
			}
		}
	}
	const most = 200 // names that are looked at
	for _, m := range pythonImport.FindAllStringSubmatch(text, most) {
		from := strings.ReplaceAll(m[1], ".", "/")
		load(from, ".py", "/__init__.py")
		for part := range strings.SplitSeq(m[2], ",") {
			module, _, _ := strings.Cut(strings.TrimSpace(part), " ")
			module = strings.ReplaceAll(module, ".", "/")
			if from != "" {
				module = from + "/" + module
			}
			load(module, ".py", "/__init__.py")
		}
	}
	for _, m := range quotedName.FindAllStringSubmatch(text, most) {
		load(m[1]+m[2]+m[3], "", ".js", ".cjs", ".mjs", ".ts", ".json", "/index.js", "/index.ts", ".py", ".rb", ".pl", ".php", ".lua")
	}
}
