package isolation

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Toolchains below the home are found by PATH, by its links and by their
// variables; the home itself, and what else is in it, is not.
func TestFindTools(t *testing.T) {
	home := t.TempDir()
	links := t.TempDir()
	for from, to := range map[string]string{"tool": "alternative", "alternative": home + "/opt/x/bin/tool", "sh": "/bin/sh", "loop": "loop", "gone": "nowhere"} {
		if err := os.Symlink(to, filepath.Join(links, from)); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{
		".pyenv/shims/python", ".pyenv/versions/3.12/bin/python", ".nvm/versions/node/v20/bin/node", ".nvm/versions/node/v20/lib/x",
		".local/bin/own", ".local/lib/python3/site-packages/x", ".local/share/keyrings/secret", "bin/mine", "go/pkg/mod/x", "go/bin/tool",
		"go/src/private/x", ".cargo/bin/cargo", ".cargo/credentials.toml", ".ssh/id", "tools/black/bin/black", "tools/black/pyvenv.cfg",
		"opt/x/bin/tool",
	} {
		path := filepath.Join(home, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(home, "tools/black/bin/black"), filepath.Join(home, ".local/bin/black")); err != nil {
		t.Fatal(err)
	}
	path := ""
	for _, dir := range []string{".pyenv/shims", ".nvm/versions/node/v20/bin", ".local/bin", "bin", "go/bin", ".cargo/bin", "no/such"} {
		path += filepath.Join(home, dir) + ":"
	}
	tools := findTools([]string{"PATH=" + path + links + ":" + home + ":/usr/bin:/bin:/:relative"}, home)
	var got []string
	for _, dir := range tools.dirs {
		if dir == links {
			continue
		}
		rel, err := filepath.Rel(home, dir)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, rel)
	}
	want := []string{
		".cargo", ".local/bin", ".local/lib", ".nvm", ".pyenv", "bin", "go/bin", "go/pkg/mod", "opt/x/bin", "tools/black",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if !slices.Equal(tools.secrets, []string{filepath.Join(home, ".cargo/credentials.toml")}) {
		t.Errorf("secrets %q", tools.secrets)
	}
	if m := tools.outside([]Mount{{Target: filepath.Join(home, "tools")}}); len(m) != len(want) {
		t.Errorf("mounts %+v", m)
	}
}
