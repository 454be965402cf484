# Makes the logs of this folder with the real tools. Each <runner>/make.sh
# sources this file and calls: begin CASE; put FILE (from stdin) ...; fin CMD.
# A case gets: log (stdout and stderr of CMD, the room's folder spelled /room),
# tree (the room's files) and command (CMD and its exit code).
# Tools that npm installs are looked for below $NODE_TOOLS/node_modules.
set -u
runner=$(basename "$(dirname "$0")")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

begin() { # CASE [CASE to copy the files of]
	name=$1
	room=$work/$1/room
	mkdir -p "$room"
	[ $# -lt 2 ] || cp -R "$work/$2/room/." "$room"
	rm -rf "$room/target" # names the folder of the case that was copied
	cd "$room" || exit 1
}

put() {
	mkdir -p "$(dirname "$1")"
	cat >"$1"
}

fin() {
	out=$here/$name
	mkdir -p "$out"
	find . -type f -not -path '*/__pycache__/*' -not -path './target/*' | sed 's|^\./||' | LC_ALL=C sort >"$out/tree"
	env -i PATH="$PATH" HOME="$HOME" TMPDIR="$work" TERM=xterm LC_ALL=C.UTF-8 GOFLAGS=-buildvcs=false NODE_TOOLS="${NODE_TOOLS-}" \
		sh -c "$1" >"$work/log" 2>&1 </dev/null
	rc=$?
	sed -e "s|$room|/room|g" -e "s|$work|/tmp/made|g" "$work/log" >"$out/log"
	printf '%s\nexit %s\n' "$1" "$rc" >"$out/command"
	echo "$runner/$name: exit $rc"
}
