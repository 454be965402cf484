#!/bin/bash
. "$(dirname "$0")/../lib.sh"
module() {
	printf 'module example.com/shop\n\ngo 1.22\n' | put go.mod
	put price/price.go <<'E'
package price

import "errors"

// Total adds the prices of all items and takes the discount off.
func Total(items []int, discount int) (int, error) {
	if discount < 0 {
		return 0, errors.New("negative discount")
	}
	sum := 0
	for _, v := range items[1:] {
		sum += v
	}
	return sum - discount, nil
}
E
}
# test BODY [IMPORT...]: writes price/price_test.go
test_() {
	body=$1
	shift
	{
		printf 'package price\n\nimport (\n'
		for i in "$@" testing; do printf '\t"%s"\n' "$i"; done
		printf ')\n\n%s\n' "$body"
	} | put price/price_test.go
}
begin fail; module
test_ 'func TestTotal(t *testing.T) {
	got, err := Total([]int{1, 2, 3}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got != 5 {
		t.Errorf("Total = %d, want %d", got, 5)
	}
}

func TestNegative(t *testing.T) {
	if _, err := Total(nil, -1); err == nil {
		t.Error("want an error")
	}
}'
fin 'go test -count=1 ./...'
begin verbose; module
test_ 'func TestLogsOnly(t *testing.T) { t.Log("all is well: error: not really") }

func TestTable(t *testing.T) {
	for name, want := range map[string]int{"one": 2} {
		t.Run(name, func(t *testing.T) {
			t.Log("trying", name)
			if got, _ := Total([]int{1, 2}, 0); got != want+1 {
				t.Errorf("sum of %s:\n got %d\nwant %d", name, got, want+1)
			}
		})
	}
}

func TestParallelA(t *testing.T) {
	t.Parallel()
	t.Log("from A")
}

func TestParallelB(t *testing.T) {
	t.Parallel()
	t.Fatal("B is broken")
}

func TestSkipped(t *testing.T) { t.Skip("later") }'
fin 'go test -count=1 -v ./...'
begin samename; module
for p in a b; do put $p/x_test.go <<E
package $p

import "testing"

func TestX(t *testing.T) {
	if "$p" == "b" {
		t.Fatal("only b")
	}
}
E
done
fin 'go test -count=1 ./...'
begin build; module; sed -i 's/sum := 0/sum := zero()/' price/price.go; test_ 'func TestTotal(t *testing.T) {}'
printf 'package main\n\nfunc main() {}\n' | put main.go
fin 'go test -count=1 ./...'
begin testfirst; module
test_ 'type basket struct{}

func TestTotal(t *testing.T) {
	if Tax(10) != 2 {
		t.Fatal("tax")
	}
	var b basket
	b.Add(1)
}'
fin 'go test -count=1 ./...'
begin testfirst-external; module
put price/price_ext_test.go <<'E'
package price_test

import (
	"testing"

	"example.com/shop/price"
)

func TestTax(t *testing.T) {
	if price.Tax(10) != 2 {
		t.Fatal("tax")
	}
}
E
fin 'cd price && go test -count=1'
begin toomany; module
test_ "func TestMany(t *testing.T) {
$(for i in 1 2 3 4 5 6 7 8 9 10 11 12; do printf '\t_ = Missing%s\n' $i; done)
}"
fin 'go test -count=1 ./...'
begin setup; module; test_ 'func TestTotal(t *testing.T) { missing.X() }' example.com/shop/missing; fin 'go test -count=1 ./...'
begin syntax; module; printf 'package price\n\nfunc TestX(t *testing.T {\n' | put price/price_test.go; fin 'go test -count=1 ./...'
begin nomod; printf 'package a\n' | put a_test.go; fin 'go test -count=1 ./...'
begin nomod-module; printf 'package a\n' | put a_test.go; fin 'GO111MODULE=on go test -mod=mod example.com/x'
begin panic; module
test_ 'func total(t *testing.T, items ...int) int {
	t.Helper()
	got, _ := Total(items, 0)
	return got
}

func TestEmpty(t *testing.T) {
	if total(t) != 0 {
		t.Fatal("not zero")
	}
}'
fin 'go test -count=1 ./...'
begin panic-goroutine; module
test_ 'func boom() { panic("kaput: 3 of 4") }

func TestBackground(t *testing.T) {
	done := make(chan bool)
	go func() { boom() }()
	<-done
}'
fin 'GOTRACEBACK=all go test -count=1 -v ./...'
begin timeout; module
test_ 'func TestMain(m *testing.M) { os.Exit(m.Run()) }

func wait() { time.Sleep(time.Hour) }

func TestHang(t *testing.T) { wait() }' os time
fin 'go test -count=1 -timeout 300ms ./...'
begin deadlock; printf 'module example.com/shop\n\ngo 1.22\n' | put go.mod
printf 'package main\n\nfunc main() { select {} }\n' | put cmd/main.go
fin 'go run ./cmd'
begin race; module
test_ 'var n int

func bump() { n++ }

func TestRace(t *testing.T) {
	done := make(chan bool)
	go func() { bump(); close(done) }()
	bump()
	<-done
}'
fin 'go test -count=1 -race ./...'
begin vet; module; test_ 'func TestTotal(t *testing.T) { fmt.Printf("%d\n", "x") }' fmt; fin 'go test -count=1 ./...'
begin no-test-files; module; printf 'package main\n\nfunc main() {}\n' | put main.go; fin 'go test -count=1 ./...'
begin no-test-files-cover; module; fin 'go test -count=1 -cover ./...'
begin no-tests-to-run; module; test_ 'func TestTotal(t *testing.T) {}'; fin 'go test -count=1 -run Nothing ./...'
begin no-packages; printf 'module example.com/shop\n\ngo 1.22\n' | put go.mod; fin 'go test -count=1 ./...'
begin all-skipped; module; test_ 'func TestTotal(t *testing.T) { t.Skip("not today") }'; fin 'go test -count=1 -v ./...'
begin pass; module; test_ 'func TestTotal(t *testing.T) {}'; fin 'go test -count=1 ./...'
begin pass-noisy; module
test_ 'func TestTotal(t *testing.T) {
	fmt.Println("--- FAIL: TestFake (0.00s)")
	fmt.Println("FAIL")
	fmt.Println("FAIL\texample.com/fake\t0.001s")
	fmt.Println("1 failed, 2 passed in 0.1s of our own counting")
	fmt.Println("not ok 1 - is only text")
	fmt.Println("# fail 3")
	t.Log("--- FAIL: TestOther (0.00s)")
	fmt.Print("no line end")
}

func TestNext(t *testing.T) {}' fmt
fin 'go test -count=1 -v ./...'
begin pass-nested; module
printf 'package inner\n\nimport "testing"\n\nfunc TestInner(t *testing.T) { t.Fatal("inner is meant to fail") }\n' | put inner/inner_test.go
put outer/outer_test.go <<'E'
package outer

import (
	"os"
	"os/exec"
	"testing"
)

func TestRunsGoTest(t *testing.T) {
	cmd := exec.Command("go", "test", "-count=1", "-v", "../inner")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if cmd.Run() == nil {
		t.Fatal("want a failure")
	}
}

func TestAfter(t *testing.T) {}
E
fin 'go test -count=1 -v ./outer'
begin exit-zero; module
test_ 'func TestFails(t *testing.T) { t.Error("a real failure") }

func TestLeaves(t *testing.T) { syscall.Exit(0) }' syscall
fin 'go test -count=1 -v ./...'
begin main-exit-zero; module
test_ 'func TestMain(m *testing.M) { m.Run(); os.Exit(0) }

func TestFails(t *testing.T) { t.Error("a real failure") }' os
fin 'cd price && go test -count=1'
begin lost-exit; module; test_ 'func TestFails(t *testing.T) { t.Error("a real failure") }'; fin 'go test -count=1 ./... | cat'
begin lost-exit-build; module; test_ 'func TestFails(t *testing.T) { nothing() }'; fin 'go test -count=1 ./... || echo ignored'
begin mixed; module; test_ 'func TestFails(t *testing.T) { t.Error("a real failure") }'
printf 'package other\n\nimport "testing"\n\nfunc TestO(t *testing.T) { undefinedThing() }\n' | put other/o_test.go
fin 'go test -count=1 ./...'
begin spaces; module
printf 'package my\n\nimport "testing"\n\nfunc TestHeight(t *testing.T) { t.Fatal("zu hoch") }\n' | put "my dir/höhe/höhe_test.go"
printf 'module example.com/my\n\ngo 1.22\n' | put "my dir/go.mod"
fin 'cd "my dir" && go test -count=1 ./... ; cd höhe && go vet; exit 1'
begin binary; module; test_ 'func TestFails(t *testing.T) { t.Error("a real failure") }'; fin 'go test -c -o /dev/null ./price; cd price && go test -c -o p.test && ./p.test; rc=$?; rm p.test; exit $rc'
