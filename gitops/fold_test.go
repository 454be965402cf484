package gitops

import "testing"

func TestFold(t *testing.T) {
	t.Parallel()
	same := [][]string{
		{"tests/a.py", "Tests/A.PY", "tests./a.py", "tests /a.py ", "tests/a.py..", "te\u200csts/a.py", "tests/a.py\ufeff"},
		{"é", "e\u0301", "É", "E\u0301"},
		{"ß", "ss", "SS", "ẞ"},
		{"\xffa", "\xffA"},
		{"ſ", "s", "S"}, // long s
		{"K", "k"},      // Kelvin
	}
	for _, group := range same {
		for _, s := range group {
			if fold(s) != fold(group[0]) {
				t.Errorf("%q: %q, %q: %q", s, fold(s), group[0], fold(group[0]))
			}
		}
	}
	for _, pair := range [][2]string{{"a", "b"}, {"a/b", "ab"}, {"\xff", "\xfe"}, {"\xff", "\ufffd"}, {".", ".."}, {"e", "é"}} {
		if fold(pair[0]) == fold(pair[1]) {
			t.Errorf("%q and %q are the same", pair[0], pair[1])
		}
	}
}
