#!/bin/sh
# A fix hook in the place of an agent. It reads where the test failed, opens
# that file and edits it. Working directory: a scratch copy of the repository.
set -eu
. "$(dirname "$0")/../loci.sh"

bug='low, high := 0, len(words)$'

for file in $(loci); do
    # The panic names the line that reads past the end. The bound that allows
    # it is set a few lines above, in the same file.
    if [ -f "$file" ] && grep -q "$bug" "$file"; then
        new=$(mktemp)
        sed "s/$bug/low, high := 0, len(words)-1/" "$file" >"$new"
        cat "$new" >"$file" # keeps the file's mode
        rm -f "$new"
        echo "fix.sh: $file: the search now ends at the last word"
        exit 0
    fi
done

echo "fix.sh: no file of the feedback holds a bug that this script knows" >&2
exit 75 # abstain
