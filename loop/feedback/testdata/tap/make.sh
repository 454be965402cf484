#!/bin/bash
. "$(dirname "$0")/../lib.sh"
begin perl
put t/sum.t <<'E'
use Test::More tests => 4;
is(1 + 1, 3, 'adds');
ok(1, 'fine');
TODO: { local $TODO = 'later'; ok(0, 'unfinished'); }
is_deeply([1, 2], [1, 3], 'lists');
E
fin 'perl t/sum.t'
begin prove perl; fin 'prove t'
begin lost-exit perl; fin 'perl t/sum.t | cat'
begin prove-lost-exit perl; fin 'prove t || true'
begin bail; printf 'print "1..3\\nok 1 - a\\nBail out!  no database\\n"; exit 255;\n' | put t.t; fin 'perl t.t'
begin skip-all; echo "use Test::More skip_all => 'not here';" | put t.t; fin 'perl t.t'
begin prove-none skip-all; mkdir t && mv t.t t; fin 'prove t'
begin pass-todo; printf 'use Test::More tests => 2;\nok(1, "fine");\nTODO: { local $TODO = "later"; ok(0, "unfinished"); }\n' | put t.t; fin 'perl t.t'
begin late-plan; printf 'use Test::More;\nok(0, "broken");\ndone_testing;\n' | put t.t; fin 'perl t.t || true'
begin plan-short; printf 'use Test::More tests => 3;\nok(1, "fine");\n' | put t.t; fin 'perl t.t || true'
begin no-plan; printf 'echo "ok, starting"\necho "not ok - but only words"\n' | put run.sh; fin 'sh run.sh'
