#!/bin/bash
. "$(dirname "$0")/../lib.sh"
calc() {
	put calc.py <<'E'
def mean(values):
    total = 0
    for v in values[1:]:
        total += v
    return total / len(values)


def parse(text):
    return int(text)
E
}
t() { put tests/test_calc.py; }
run='PYTHONPATH=. PYTHONDONTWRITEBYTECODE=1 python3 -m pytest -p no:cacheprovider'
begin fail; calc
t <<'E'
import pytest

from calc import mean, parse


def test_mean():
    print("computing 3:4")
    assert mean([2, 4, 6]) == 4


def test_empty():
    assert mean([]) == 0


@pytest.mark.parametrize("text,want", [("7", 7), ("8", 9)])
def test_parse(text, want):
    got = parse(text)
    assert {"value": got} == {"value": want}


class TestGroup:
    def test_raises(self):
        with pytest.raises(ValueError):
            parse("1")


@pytest.fixture
def broken():
    raise OSError("no database")


def test_fixture(broken):
    pass


@pytest.mark.xfail
def test_xfail():
    assert False


@pytest.mark.skip
def test_skip():
    pass
E
fin "$run"
for v in short native line no; do begin tb-$v fail; fin "$run --tb=$v"; done
begin quiet fail; fin "$run -q"
begin verbose-color fail; fin "$run -v --color=yes -rA"
begin lost-exit fail; fin "$run -q -x; echo finished"
begin testfirst; calc; printf 'from calc import median\n\n\ndef test_median():\n    assert median([1]) == 1\n' | t; fin "$run"
begin testfirst-module; calc; printf 'import stats\n\n\ndef test_median():\n    assert stats.median([1]) == 1\n' | t; fin "$run -q"
begin import-in-code; echo 'from helper import nothing' | put calc.py; put helper.py </dev/null; printf 'import calc\n\n\ndef test_a():\n    pass\n' | t; fin "$run"
begin syntax-error; calc; printf 'def test_broken(:\n    pass\n' | t; fin "$run"
begin name-error; calc; printf '@undefined_decorator\ndef test_broken():\n    pass\n' | t; fin "$run"
begin conftest-error; calc; echo 'import nowhere' | put tests/conftest.py; printf 'def test_a():\n    pass\n' | t; fin "$run"
begin continue-collection; calc; printf 'def test_bad():\n    assert 1 == 2\n' | t; echo 'from calc import median' | put tests/test_zz.py; fin "$run --continue-on-collection-errors"
begin no-tests; calc; fin "$run"
begin deselected; calc; printf 'def test_a():\n    pass\n' | t; fin "$run -k nothing"
begin bad-path; calc; fin "$run tests/test_nope.py"
begin bad-flag; calc; fin "$run --no-such-flag"
begin all-skipped; calc; printf 'import pytest\n\n\n@pytest.mark.skip\ndef test_a():\n    pass\n' | t; fin "$run"
begin collect-only; calc; printf 'def test_a():\n    assert False\n' | t; fin "$run --co -q"
begin pass-noisy; calc
t <<'E'
def test_a():
    print("1 failed, 2 passed")
    print("FAILED tests/test_calc.py::test_b - nothing")
    print("E   not an error")
E
fin "$run -s"
begin pass; calc; printf 'def test_a():\n    pass\n' | t; fin "$run -q"
begin os-exit; calc; printf 'import os\n\n\ndef test_a():\n    assert False\n\n\ndef test_b():\n    os._exit(0)\n' | t; fin "$run"
begin atexit; calc; printf 'import atexit\nimport os\n\natexit.register(os._exit, 0)\n\n\ndef test_a():\n    assert False\n' | t; fin "$run -q"
begin spaces; calc; printf 'def test_a():\n    assert 1 == 2\n' | put "my tests/test_ü.py"; fin "$run"
begin no-tests-make; calc; printf 'none:\n\t@%s\n' "$run" | put Makefile; fin "make none"
