package gitops

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// findExec reads the commands after -exec and its kin (find(1)).
func (o *oracle) findExec(args []word, at *stand) {
	for i, w := range args {
		if w.exact && contains(words("-exec -execdir -ok -okdir"), w.text) && i+1 < len(args) {
			rest := args[i+1:]
			if end := slices.IndexFunc(rest, func(w word) bool { return w.text == ";" || w.text == "+" }); end >= 0 {
				rest = rest[:end]
			}
			o.command(command{words: rest}, at)
		}
	}
}

// goTool finds what the go command runs beside the packages: the files of
// `go run`, and programs and overlays named by flags (go help build). A folder
// is no program: that is the code under test.
func (o *oracle) goTool(args []word, at *stand) {
	for i, w := range args {
		flag, value, has := strings.Cut(strings.TrimPrefix(w.text, "-"), "=")
		flag = strings.TrimPrefix(flag, "-")
		if !has && i+1 < len(args) {
			value = args[i+1].text
		}
		switch {
		case !strings.HasPrefix(w.text, "-"):
			if len(args) > 0 && args[0].text == "run" && strings.HasSuffix(w.text, ".go") {
				o.run(w, at, false)
			}
		case contains(words("exec toolexec vettool"), flag):
			o.script(value, at.inside())
		case contains(words("overlay modfile"), flag):
			o.run(word{text: value, exact: true}, at, false)
		}
	}
}

// nodeRun is `node --run NAME`, a script of package.json.
func (o *oracle) nodeRun(args []word, at *stand) {
	for i, w := range args {
		name, ok := strings.CutPrefix(w.text, "--run=")
		if w.text == "--run" && i+1 < len(args) {
			name, ok = args[i+1].text, true
		}
		if ok {
			o.tools["node --run"] = true
			o.packageScript(name, false, at)
		}
	}
}

// npmScript reads a command of npm, yarn, pnpm or bun: the scripts of
// package.json that it runs, with those before and after them.
func (o *oracle) npmScript(args []word, at *stand) {
	everywhere := slices.ContainsFunc(args, func(w word) bool {
		flag, _, _ := strings.Cut(w.text, "=")
		return contains(words("workspace workspaces -w -ws --workspace --workspaces -r --recursive --filter -F foreach"), flag)
	})
	var rest []word
	for i := 0; i < len(args); i++ {
		flag := args[i].start()
		if strings.HasPrefix(flag, "-") {
			if contains(words("--prefix -C --cwd --dir -w --workspace --filter -F --loglevel"), flag) {
				i++
			}
			continue
		}
		rest = append(rest, args[i])
	}
	if len(rest) == 0 {
		return
	}
	switch sub := rest[0].text; sub {
	case "run", "run-script", "rum", "urn":
		if len(rest) > 1 {
			o.packageScript(rest[1].text, everywhere, at)
		}
	case "exec", "x", "dlx":
		o.command(command{words: rest[1:]}, at)
	case "t", "tst":
		o.packageScript("test", everywhere, at)
	case "workspace":
		if len(rest) > 2 {
			o.npmScript(rest[2:], at)
			o.packageScript(rest[2].text, true, at)
		}
	case "install", "ci", "i":
		for _, name := range words("preinstall install postinstall prepare") {
			o.packageScript(name, everywhere, at)
		}
	default:
		o.packageScript(sub, everywhere, at)
	}
}

// packageScript looks at a script of the package.json in the folder, or of
// every one.
func (o *oracle) packageScript(name string, everywhere bool, at *stand) {
	var files []string
	for _, dir := range at.dirs {
		files = append(files, path.Join(dir, "package.json"))
	}
	if everywhere {
		for p := range o.tracked {
			if path.Base(p) == "package.json" && len(files) < 50 {
				files = append(files, p)
			}
		}
	}
	slices.Sort(files)
	for _, file := range slices.Compact(files) {
		if !o.tracked[file] {
			continue
		}
		text, err := o.content(file)
		if err != nil {
			continue
		}
		var content struct {
			Scripts map[string]json.RawMessage `json:"scripts"`
		}
		if json.Unmarshal(text, &content) != nil {
			continue
		}
		for _, n := range []string{"pre" + name, name, "post" + name} {
			var script string
			if json.Unmarshal(content.Scripts[n], &script) == nil {
				dirs := append(slices.Clone(at.dirs), path.Dir(file))
				o.script(script, stand{dirs: dirs, by: "the script " + printable(n) + " of " + printable(file), depth: at.depth + 1})
			}
		}
	}
}
