package main

import "testing"

func TestByteSize(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int64{
		"1": 1, "65536": 65536, "64K": 65536, "64k": 65536, "64KiB": 65536, "64kb": 65536, " 2M ": 2 << 20, "1G": 1 << 30, "3GiB": 3 << 30,
	} {
		var b byteSize
		if err := b.Set(in); err != nil || int64(b) != want {
			t.Errorf("%q: %d, %v; want %d", in, int64(b), err, want)
		}
		var again byteSize
		if err := again.Set(b.String()); err != nil || again != b {
			t.Errorf("%q is written %q and read as %d (%v)", in, b.String(), int64(again), err)
		}
	}
	for _, in := range []string{"", "0", "-1", "K", "1KM", "1T", "lots", "1.5G", "9999999999999G", "1 K"} {
		b := byteSize(7)
		if err := b.Set(in); err == nil {
			t.Errorf("%q was read as %d", in, int64(b))
		}
		if b != 7 {
			t.Errorf("%q changed the value to %d", in, int64(b))
		}
	}
}
