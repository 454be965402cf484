#!/bin/sh
# Runs every fuzz target of the module for a short time, one after the other.
# FUZZTIME sets the time for each (default 10s).
set -eu

cd "$(dirname "$0")/.."
go=${GO:-go}
found=0
for package in $("$go" list ./...); do
    # The list comes first and alone, so that a package that does not compile
    # ends the run and is not taken for one without targets.
    listed=$("$go" test -list '^Fuzz' "$package")
    for target in $(printf '%s\n' "$listed" | grep '^Fuzz' || true); do
        found=$((found + 1))
        echo "fuzz: $package $target"
        "$go" test -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZTIME:-10s}" "$package"
    done
done
echo "fuzz: $found targets, ${FUZZTIME:-10s} each"
