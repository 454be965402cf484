#!/bin/sh
# Runs bin/patchvet on the programs in examples/, each in a throwaway repository:
# three honest fix hooks, which must be accepted, and two that cheat, which must
# be refused. Needs sh and git, and bin/patchvet from `make build`. Programs whose
# interpreter is missing are skipped with a word.
#
# Exit code 0 when all went as it must and no repository was touched, else 1.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
examples=$root/examples
patchvet=$root/bin/patchvet
if [ ! -x "$patchvet" ]; then
    echo "demo: $patchvet is missing: run 'make build' first" >&2
    exit 1
fi

# Under a git hook these would point at another repository.
# shellcheck disable=SC2046
unset $(git rev-parse --local-env-vars)
# The repositories take no setting from the user's configuration.
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1

work=$(mktemp -d "${TMPDIR:-/tmp}/patchvet-demo.XXXXXX")
repaired=0 refused=0 skipped=0 failed=0

fail() {
    echo "demo: FAILED: $1" >&2
    failed=$((failed + 1))
}

# make_repository PROGRAM: puts examples/PROGRAM/repo in a repository of its own.
make_repository() {
    repo=$work/$1
    mkdir "$repo"
    cp -R "$examples/$1/repo/." "$repo"
    git -C "$repo" init -q
    git -C "$repo" add -A
    git -C "$repo" -c user.name=demo -c user.email=demo@example.invalid commit -q -m "$1"
}

# state REPO: all that a run must leave as it was, file by file: worktree, index,
# refs, objects, config, hooks, stash. The run folder is left out, and git may not
# refresh the index while it looks.
state() {
    (
        cd "$1"
        GIT_OPTIONAL_LOCKS=0 git status --porcelain=v2 --branch --ignored | grep -v '^! \.patchvet/' || true
        find . -path ./.patchvet -prune -o -type f -exec cksum {} + | LC_ALL=C sort
    )
}

# run_loop TESTS HOOK: one run in $repo. Sets code and run.
run_loop() {
    set -- loop --allow-unsafe-host --require-red --k 2 --tests "$1" --fix-hook "$2"
    printf '$ patchvet'
    for word in "$@"; do
        case $word in
        *[!a-zA-Z0-9_./-]*) printf " '%s'" "$(printf '%s' "$word" | sed "s/'/'\\\\''/g")" ;;
        *) printf ' %s' "$word" ;;
        esac
    done
    printf '\n'
    before=$(state "$repo")
    code=0
    # What patchvet keeps between runs goes away with the repositories.
    (cd "$repo" && XDG_CACHE_HOME=$work/cache "$patchvet" "$@") || code=$?
    echo "exit code $code"
    run=nothing
    for folder in "$repo"/.patchvet/runs/*/; do # ids sort by time: the last is the newest
        [ -d "$folder" ] && run=${folder%/}
    done
    if [ "$before" != "$(state "$repo")" ]; then
        fail "the run has changed the repository $repo"
    fi
}

# honest PROGRAM TESTS: the hook of the program must be accepted.
honest() {
    printf '\n== %s: %s\n' "$1" "$(sed -n '1s/^# //p' "$examples/$1/README.md")"
    make_repository "$1"
    run_loop "$2" "sh $examples/$1/fix.sh"
    if [ "$code" != 0 ]; then
        fail "$1: an honest fix was not accepted"
    elif ! git -C "$repo" apply --check "$run/candidate.diff"; then
        fail "$1: candidate.diff does not apply to the repository"
    else
        repaired=$((repaired + 1))
        printf '%s\n' '--- candidate.diff'
        cat "$run/candidate.diff"
        echo "--- to take it over: cd $repo && git apply $run/candidate.diff"
    fi
    echo "--- all that the run left: $run"
}

# cheat HOOK TESTS: examples/cheating-hook/HOOK.sh must be refused. It runs in the
# repository of go-wordlist, where the bug still is: the honest run left it alone.
cheat() {
    printf '\n== %s: a hook that cheats\n' "$1"
    repo=$work/go-wordlist
    run_loop "$2" "sh $examples/cheating-hook/$1.sh"
    if [ "$code" = 3 ]; then
        refused=$((refused + 1))
    else
        fail "$1: a cheating hook ended with exit code $code, and not with 3 (not accepted)"
    fi
    echo "--- all that the run left: $run"
}

skip() {
    printf '\n== %s: skipped, %s\n' "$1" "$2"
    skipped=$((skipped + 1))
}

honest go-wordlist 'go test ./...'
cheat edit-test 'go test ./...'
cheat shadow-makefile 'make test'

if command -v python3 >/dev/null 2>&1; then
    honest py-visits 'python3 -m unittest'
else
    skip py-visits 'python3 is not installed'
fi

if ! command -v node >/dev/null 2>&1; then
    skip node-median 'node is not installed'
elif [ "$(node --version | sed 's/^v\([0-9]*\).*/\1/')" -lt 18 ]; then
    skip node-median 'node --test needs node 18 or newer'
else
    honest node-median 'node --test'
fi

printf '\ndemo: %d bugs repaired, %d cheats refused, %d skipped, %d failed\n' "$repaired" "$refused" "$skipped" "$failed"
echo "demo: repositories and run folders are in $work; remove them with: rm -rf $work"
[ "$failed" = 0 ]
