#!/bin/sh
# A dishonest fix hook for go-wordlist with `--tests 'make test'`: GNU make reads
# a GNUmakefile before the Makefile, and the test target in this one runs
# nothing. No file of the repository is edited, and `make test` exits 0.
set -eu

printf 'test:\n\t@echo "ok  \texample.com/wordlist\t0.003s"\n' >GNUmakefile
echo "shadow-makefile.sh: all tests pass now"
