package gitops

import "testing"

func TestParseVersion(t *testing.T) {
	t.Parallel()
	cases := []struct {
		in   string
		want Version
		ok   bool
	}{
		{"git version 2.39.5\n", Version{2, 39, 5}, true},
		{"git version 2.39.5 (Apple Git-154)\n", Version{2, 39, 5}, true},
		{"git version 2.45.1.windows.1\n", Version{2, 45, 1}, true},
		{"git version 2.46.0.rc1\n", Version{2, 46, 0}, true},
		{"git version 2.46.GIT", Version{2, 46, 0}, true},
		{"git version 2.34.0-rc2.12.gabc", Version{2, 34, 0}, true},
		{"git version 3.0", Version{3, 0, 0}, true},
		{"git version 2", Version{}, false},
		{"git version ", Version{}, false},
		{"git version two.three", Version{}, false},
		{"git version -1.3", Version{}, false},
		{"hub version 2.39.5", Version{}, false},
		{"git version 99999999999999999999.1", Version{}, false},
		{"", Version{}, false},
	}
	for _, c := range cases {
		if got, ok := parseVersion(c.in); got != c.want || ok != c.ok {
			t.Errorf("%q: %v %v, want %v %v", c.in, got, ok, c.want, c.ok)
		}
	}
}

func TestVersionOrder(t *testing.T) {
	t.Parallel()
	ascending := []Version{{1, 9, 9}, {2, 9, 0}, {2, 33, 8}, {2, 34, 0}, {2, 34, 1}, {2, 100, 0}, {3, 0, 0}}
	for i, v := range ascending {
		for j, w := range ascending {
			if got := v.Less(w); got != (i < j) {
				t.Errorf("%v less than %v: %v", v, w, got)
			}
		}
	}
}

func FuzzParseVersion(f *testing.F) {
	f.Add("git version 2.39.5 (Apple Git-154)\n")
	f.Add("git version 2.45.1.windows.1")
	f.Fuzz(func(t *testing.T, in string) {
		v, ok := parseVersion(in)
		if !ok {
			return
		}
		if v.Major < 0 || v.Minor < 0 || v.Patch < 0 {
			t.Errorf("%q: %v", in, v)
		}
		if again, ok := parseVersion("git version " + v.String()); !ok || again != v {
			t.Errorf("%q: %v reads back as %v, %v", in, v, again, ok)
		}
	})
}
