package isolation

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWrapperNames(t *testing.T) {
	base := t.TempDir()
	root := filepath.Join(base, "repo")
	if err := os.MkdirAll(filepath.Join(root, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(base, "link")
	if err := os.Symlink(root, link); err != nil {
		t.Fatal(err)
	}
	for via, want := range map[string]string{
		"docker run -v " + root + ":/w -w /w IMG sh -c":                        "-v " + root + ":/w",
		"docker run -v '" + root + "/':/w IMG sh -c":                           "-v '" + root + "/':/w",
		"docker run -v" + root + ":/w IMG sh -c":                               "-v" + root + ":/w",
		"docker run -itv " + root + ":/w IMG sh -c":                            "-itv " + root + ":/w",
		"docker run --volume=" + root + ":/w:ro IMG sh -c":                     "--volume=" + root + ":/w:ro",
		"docker run --volume " + root + ":/w IMG sh -c":                        "--volume " + root + ":/w",
		"docker run -v " + link + ":/w IMG sh -c":                              "-v " + link + ":/w",
		"docker run --mount type=bind,source=" + root + ",target=/w IMG sh -c": "--mount type=bind,source=" + root + ",target=/w",
		"docker run --mount=type=bind,src=" + root + ",dst=/w IMG sh -c":       "--mount=type=bind,src=" + root + ",dst=/w",
		"bwrap --bind " + root + " " + root + " sh -c":                         "--bind " + root,
		"bwrap --ro-bind / / --dev-bind-try " + root + "/../repo /w sh -c":     "--dev-bind-try " + root + "/../repo",
		"apptainer exec --bind " + root + " IMG sh -c":                         "--bind " + root,
		"systemd-nspawn --bind-ro=" + root + ":/w sh -c":                       "--bind-ro=" + root + ":/w",
		"bwrap --dev-bind / / --chdir " + root + " sh -c":                      root,
		"env -C " + root + "/sub sh -c":                                        root + "/sub",
		"bwrap --dev-bind / / --bind \"$PWD\" /w --chdir " + root + " sh -c":   root,
		// The room at the path of the repository is right.
		`docker run -v "$PWD":` + root + ` -w ` + root + ` IMG sh -c`:                            "",
		`bwrap --dev-bind / / --bind "$PWD" ` + root + ` --chdir ` + root + `/sub sh -c`:         "",
		`docker run --mount type=bind,source="$PWD",target=` + root + ` -w ` + root + ` I sh -c`: "",
		// So is everything that does not lead there.
		root + "/wrap.sh":                                   "",
		"sh " + root + "/wrap.sh":                           "",
		root:                                                "",
		`docker run -v "$PWD":/w IMG sh -c`:                 "",
		"docker run -v .:/w IMG sh -c":                      "",
		"docker run -v " + root + " IMG sh -c":              "", // a volume without a source
		"docker run -v " + root + "/sub:/deps:ro IMG sh -c": "",
		"docker run -v " + root + "2:/w IMG sh -c":          "",
		"docker run -e REPO=" + root + " IMG sh -c":         "",
		"docker run --label " + root + " IMG sh -c":         "",
		"docker run -v":                                     "",
		"bwrap --dev-bind / / sh -c":                        "",
		"none":                                              "",
		"docker:" + root:                                    "",
		"sh -c 'unclosed":                                   "",
	} {
		t.Run(via, func(t *testing.T) {
			got, names := WrapperNames(via, root)
			if got != want || names != (want != "") {
				t.Errorf("got %q %v, want %q", got, names, want)
			}
		})
	}
}
