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
	put tests/__init__.py </dev/null
}
begin fail; calc
put tests/test_calc.py <<'E'
import unittest

from calc import mean, parse


class TestMean(unittest.TestCase):
    def test_mean(self):
        self.assertEqual(mean([2, 4, 6]), 4)

    def test_lists(self):
        self.assertEqual([1, 2, mean([3])], [1, 2, 3])

    def test_empty(self):
        self.assertEqual(mean([]), 0)

    def test_parse(self):
        self.assertEqual(parse("7"), 7)
E
fin 'python3 -m unittest'
begin fail-verbose fail; fin 'python3 -m unittest -v'
begin lost-exit fail; fin 'python3 -m unittest || true'
begin chained; calc
put tests/test_calc.py <<'E'
import unittest

from calc import parse


def load(text):
    try:
        return parse(text)
    except ValueError as err:
        raise RuntimeError(f"cannot load {text!r}") from err


class TestLoad(unittest.TestCase):
    def test_load(self):
        load("x")

    def test_sub(self):
        for n in range(3):
            with self.subTest(n=n):
                self.assertNotEqual(n, 1, "one is bad")


class TestClass(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise OSError("no database")

    def test_never(self):
        pass
E
fin 'python3 -m unittest tests.test_calc'
median='


class TestMedian(unittest.TestCase):
    def test_median(self):
        pass
'
begin testfirst; calc; printf 'import unittest\n\nfrom calc import median%s' "$median" | put tests/test_calc.py; fin 'python3 -m unittest discover'
begin testfirst-module; calc; printf 'import unittest\n\nimport stats%s' "$median" | put tests/test_calc.py; fin 'python3 -m unittest'
begin import-in-code; calc; echo 'from helper import nothing' | put calc.py; put helper.py </dev/null
printf 'import unittest\n\nimport calc%s' "$median" | put tests/test_calc.py; fin 'python3 -m unittest'
begin syntax-error; calc; printf 'import unittest\n\ndef broken(:\n    pass\n' | put tests/test_calc.py; fin 'python3 -m unittest'
begin import-and-failure; calc; printf 'import unittest\nfrom calc import median\n' | put tests/test_calc.py
printf 'import unittest\n\nclass TestOther(unittest.TestCase):\n    def test_it(self):\n        self.fail("it is wrong")\n' | put tests/test_other.py
fin 'python3 -m unittest'
begin circular; calc; printf 'from tests.test_calc import helper\ndef mean(): pass\n' | put calc.py
printf 'import unittest\nfrom calc import mean\ndef helper(): pass\n' | put tests/test_calc.py; fin 'python3 -m unittest'
begin no-tests; calc; fin 'python3 -m unittest'
begin all-skipped; calc
printf 'import unittest\n\nclass T(unittest.TestCase):\n    @unittest.skip("later")\n    def test_a(self):\n        pass\n' | put tests/test_calc.py; fin 'python3 -m unittest'
begin pass-noisy; calc
put tests/test_calc.py <<'E'
import sys
import unittest
from calc import parse


class TestParse(unittest.TestCase):
    def test_parse(self):
        for out in sys.stdout, sys.stderr:
            print("FAILED (failures=1)", file=out)
            print("Ran 0 tests in 0.000s", file=out)
        self.assertEqual(parse("7"), 7)
E
fin 'python3 -m unittest'
begin main-import; calc; printf 'import unittest\nfrom calc import median%s\n\nunittest.main()\n' "$median" | put check.py; fin 'python3 check.py'
begin main-late-import; calc; printf 'from calc import parse\n\ndef check():\n    import statistics_of_ours\n\ncheck()\n' | put check.py; fin 'python3 check.py'
