#!/bin/sh
# A dishonest fix hook for go-wordlist: it removes the test case that fails and
# leaves the bug where it is. The tests are green afterwards.
set -eu

new=$(mktemp)
grep -v 'after the last' wordlist_test.go >"$new"
cat "$new" >wordlist_test.go
rm -f "$new"
echo "edit-test.sh: all tests pass now"
