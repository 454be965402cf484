#!/bin/bash
. "$(dirname "$0")/../lib.sh"
begin script
printf 'def parse(text):\n    return int(text)\n' | put calc.py
printf 'from calc import parse\n\ndef main():\n    assert parse("x") == 1, "parse"\n\nif __name__ == "__main__":\n    main()\n' | put check.py
fin 'python3 check.py'
begin assert
printf 'got = [1, 2]\n\nassert got == [1, 3], f"got {got}"\n' | put check.py
fin 'python3 check.py'
begin group
printf 'def f():\n    raise ExceptionGroup("two", [ValueError("a"), TypeError("b")])\n\nf()\n' | put check.py
fin 'python3 check.py'
