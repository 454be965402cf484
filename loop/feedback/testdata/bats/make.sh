#!/bin/bash
. "$(dirname "$0")/../lib.sh"
begin fail
printf 'check_sum() {\n  [ "$1" -eq "$2" ]\n}\n' | put lib/helper.bash
put test/sum.bats <<'E'
load ../lib/helper.bash

@test "adds two numbers" {
  run echo 3
  [ "$output" = 4 ]
}

@test "uses a helper" {
  check_sum 1 2
}

@test "is fine" {
  true
}

@test "skipped" {
  skip "later"
}

@test "command missing" {
  no_such_command --flag
}
E
fin 'bats test'
begin pretty fail; fin 'bats --pretty test'
begin lost-exit fail; fin 'bats test || true'
begin no-tests; put test/none.bats </dev/null; fin 'bats test'
begin no-tests-pretty no-tests; fin 'bats --pretty test'
begin load-error fail; sed -i 's|../lib/helper.bash|../lib/nothing.bash|' test/sum.bats; fin 'bats test'
begin syntax-error; printf '@test "x" {\n  if true; then\n}\n' | put test/sum.bats; fin 'bats test'
begin pass; printf '@test "prints" {\n  echo "not ok 9 hidden"\n  echo "# not ok 1 - fd3" >&3\n  true\n}\n' | put test/a.bats; fin 'bats test'
begin pass-pretty pass; fin 'bats --pretty test'
