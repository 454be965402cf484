#!/bin/sh
# A fix hook in the place of an agent. It reads where the test failed, goes from
# the test to the module under test and edits that. Working directory: a scratch
# copy of the repository.
set -eu
. "$(dirname "$0")/../loci.sh"

for file in $(loci); do
    # A failed assertion names the test: NAME.test.mjs tests NAME.mjs beside it.
    module=$(printf '%s\n' "$file" | sed 's|\.test\.mjs$|.mjs|')
    if [ -f "$module" ] && grep -q '\.sort()' "$module"; then
        new=$(mktemp)
        sed 's/\.sort()/.sort((a, b) => a - b)/' "$module" >"$new"
        cat "$new" >"$module" # keeps the file's mode
        rm -f "$new"
        echo "fix.sh: $module: numbers are now sorted by value"
        exit 0
    fi
done

echo "fix.sh: no file of the feedback leads to a bug that this script knows" >&2
exit 75 # abstain
