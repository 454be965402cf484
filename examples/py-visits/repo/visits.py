#!/usr/bin/env python3
"""Counts the visits of each page in web server logs.

Usage: visits.py LOG...

A log line is: address, time, page. Fields are separated by blanks.
"""

import sys


def count_visits(lines, totals={}):
    """Return a dict from page to number of visits.

    With totals, the visits are added to those that it already holds.
    """
    for line in lines:
        fields = line.split()
        if len(fields) == 3:
            page = fields[2]
            totals[page] = totals.get(page, 0) + 1
    return totals


def main(paths):
    for path in paths:
        print(path)
        with open(path, encoding="utf-8") as log:
            visits = count_visits(log)
        for page in sorted(visits, key=lambda page: (-visits[page], page)):
            print(f"{visits[page]:8} {page}")


if __name__ == "__main__":
    main(sys.argv[1:])
