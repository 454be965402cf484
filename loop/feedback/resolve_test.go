package feedback

import "testing"

func TestResolve(t *testing.T) {
	t.Parallel()
	r := newResolver(Options{
		Tree: NewTree([]string{
			"calc.py", "src/cart.js", "a/x_test.go", "b/x_test.go", "lib/helper.bash", "my dir/ü b.go", ".github/run.sh",
			"com/shop/Cart.java", "src/unittest/case.py", "", "bad\xff.go", "new\nline.go", "src/cart.js",
		}),
		Root:     "/tmp/rooms/42/room/",
		UserRoot: "/home/ann/shop",
	})
	for _, c := range []struct{ name, want string }{
		{"calc.py", "calc.py"},
		{"./calc.py", "calc.py"},
		{".//calc.py", "calc.py"},
		{"src/../calc.py", "calc.py"},
		{"test/../lib/helper.bash", "lib/helper.bash"},
		{"../src/cart.js", "src/cart.js"},
		{"cart.js", "src/cart.js"},
		{"shop/Cart.java", "com/shop/Cart.java"},
		{".github/run.sh", ".github/run.sh"},
		{"/tmp/rooms/42/room/my dir/ü b.go", "my dir/ü b.go"},
		{"/home/ann/shop/calc.py", "calc.py"},
		{"/home/ann/shop/./src/cart.js", "src/cart.js"},
		{"file:///home/ann/shop/my%20dir/%C3%BC%20b.go", "my dir/ü b.go"},
		{"/mnt/src/cart.js", "src/cart.js"}, // mounted elsewhere by a wrapper
		{"x_test.go", ""},                   // two of them
		{"ithub/run.sh", ""},                // no whole component
		{"/usr/lib/python3.11/unittest/case.py", ""},
		{"/home/ann/.venv/lib/python3.11/site-packages/calc.py", ""},
		{"/tmp/other/calc.py", ""},
		{"/home/ann/shop/../other/nothing.py", ""},
		{"http://host/calc.py", ""},
		{"calc.py/", "calc.py"},
		{"calc", ""},
		{"/", ""},
		{".", ""},
		{"..", ""},
		{"", ""},
		{"bad\xff.go", ""},
	} {
		got, ok := r.resolve(c.name)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("resolve(%q) = %q, %v, want %q", c.name, got, ok, c.want)
		}
		again, ok2 := r.resolveBytes([]byte(c.name))
		cached, ok3 := r.resolveBytes([]byte(c.name))
		if again != got || cached != got || ok2 != ok || ok3 != ok {
			t.Errorf("resolveBytes(%q) = %q, %q", c.name, again, cached)
		}
	}
}

func TestResolveWithinPackage(t *testing.T) {
	t.Parallel()
	r := newResolver(Options{Tree: NewTree([]string{"x_test.go", "sub/x_test.go", "deep/sub/x_test.go", "only/one_test.go"}), Root: "/room"})
	for _, c := range []struct{ name, pkg, want string }{
		{"x_test.go", "example.com/m", "x_test.go"},
		{"./x_test.go", "example.com/m/sub", "sub/x_test.go"},
		{"x_test.go", "example.com/m/deep/sub", "deep/sub/x_test.go"},
		{"sub/x_test.go", "example.com/m/sub", "sub/x_test.go"},
		{"one_test.go", "example.com/other", "only/one_test.go"},
		{"one_test.go", "", "only/one_test.go"},
		{"/room/x_test.go", "example.com/m/sub", "x_test.go"},
		{"none_test.go", "example.com/m", ""},
	} {
		if got, _ := r.within(c.name, c.pkg); got != c.want {
			t.Errorf("%s in %s: %q, want %q", c.name, c.pkg, got, c.want)
		}
	}
}

func TestResolveWithoutTree(t *testing.T) {
	t.Parallel()
	r := newResolver(Options{Root: "/room"})
	if p, ok := r.resolve("/room/a.go"); ok {
		t.Errorf("got %q", p)
	}
}
