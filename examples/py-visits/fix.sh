#!/bin/sh
# A fix hook in the place of an agent. It reads where the test failed, goes from
# the test to the module under test and edits that. Working directory: a scratch
# copy of the repository.
set -eu
. "$(dirname "$0")/../loci.sh"

for file in $(loci); do
    # A failed assertion names the test: test_NAME.py tests NAME.py beside it.
    module=$(printf '%s\n' "$file" | sed 's|test_\([^/]*\)$|\1|')
    if [ -f "$module" ] && grep -q 'totals={}' "$module"; then
        new=$(mktemp)
        awk '
            /^    for line in lines:/ {
                print "    if totals is None:"
                print "        totals = {}"
            }
            { sub(/totals=[{][}]/, "totals=None"); print }
        ' "$module" >"$new"
        cat "$new" >"$module" # keeps the file's mode
        rm -f "$new"
        echo "fix.sh: $module: each call without totals now starts with a dict of its own"
        exit 0
    fi
done

echo "fix.sh: no file of the feedback leads to a bug that this script knows" >&2
exit 75 # abstain
