package main

import (
	"fmt"
	"strconv"
	"strings"
)

// byteSize is a flag value in bytes, written with an optional unit: 65536,
// 64K, 512M, 1G (powers of 1,024; KiB, MB and so on are read alike).
type byteSize int64

// String implements pflag.Value.
func (b *byteSize) String() string {
	n := int64(*b)
	for _, u := range []struct {
		size int64
		name string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if n >= u.size && n%u.size == 0 {
			return strconv.FormatInt(n/u.size, 10) + u.name
		}
	}
	return strconv.FormatInt(n, 10)
}

// Set implements pflag.Value.
func (b *byteSize) Set(s string) error {
	unit := strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(strings.TrimSpace(s)), "B"), "I")
	shift := 0
	for i, name := range []string{"K", "M", "G"} {
		if digits, ok := strings.CutSuffix(unit, name); ok {
			unit, shift = digits, 10*(i+1)
			break
		}
	}
	n, err := strconv.ParseInt(unit, 10, 64)
	if err != nil || n < 1 || n > (1<<62)>>shift {
		return fmt.Errorf("must be a size of 1 byte or more, such as 65536, 64K or 1G")
	}
	*b = byteSize(n << shift)
	return nil
}

// Type implements pflag.Value.
func (b *byteSize) Type() string { return "size" }
