#!/bin/bash
. "$(dirname "$0")/../lib.sh"
sum() {
	echo 'int sum(int a, int b);' | put src/sum.h
	printf '#include "sum.h"\n\nint sum(int a, int b) {\n\tint unused;\n\treturn a + %s;\n}\n' "$1" | put src/sum.c
	put test/sum_test.c <<'E'
#include <assert.h>
#include "../src/sum.h"

int main(void) {
	assert(sum(1, 2) == 4);
	return 0;
}
E
	printf 'CFLAGS = -Wall -O0 -g %s\n\ntest: sum_test\n\t./sum_test\n\nsum_test: src/sum.o test/sum_test.o\n\t$(CC) $(CFLAGS) -o $@ $^\n' "${2-}" | put Makefile
}
begin make; sum c; fin 'make test'
begin keep-going make; fin 'make -k test'
begin no-make make; fin 'gcc -c src/sum.c'
begin lost-exit make; fin 'make test || true'
begin link; sum b; sed -i 's/int sum/int summe/' src/sum.c; fin 'make test'
begin header; sum b; sed -i 's/sum.h/missing.h/' src/sum.c; fin 'make -s test'
begin one-step; sum c; printf 'test: src/sum.c test/sum_test.c\n\tgcc -o /dev/null $^\n' | put Makefile; fin 'make test'
begin assert; sum b; fin 'make test'
begin asan; sum '((int[1]){a})[b]' -fsanitize=address; fin 'make test 2>&1 | sed "s/==[0-9]*==/==4711==/"; exit 2'
begin fake
printf '#!/bin/sh\necho "x.c:3:5: error: expected failure of the compiler under test"\nexit 1\n' | put run.sh
chmod +x run.sh; put x.c </dev/null; printf 'test:\n\t./run.sh\n' | put Makefile; fin 'make test'
begin after-tests; sum c; printf '.PHONY: test\ntest:\n\tpython3 -m unittest t\n\tgcc -c src/sum.c\n' | put Makefile
printf 'import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        pass\n' | put t.py; fin 'PYTHONDONTWRITEBYTECODE=1 make test'
