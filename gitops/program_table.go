package gitops

import "strings"

// programTable is all rows by name.
func programTable() map[string]program {
	table := map[string]program{}
	for _, rows := range [][]program{wrappers(), interpreters(), testRunners(), builders()} {
		for _, row := range rows {
			for name := range strings.FieldsSeq(row.names) {
				table[name] = row
			}
		}
	}
	return table
}

// wrappers run the command that follows.
func wrappers() []program {
	return []program{
		{names: "env", then: thenCommand, assigns: true, values: words("-u --unset"), dirs: words("-C --chdir"), shell: true, code: words("-S --split-string")},
		{names: "cross-env dotenvx", then: thenCommand, assigns: true},
		{names: "exec", then: thenCommand, values: words("-a")},
		{names: "command builtin nohup setsid unbuffer chronic dbus-run-session winpty catchsegv nocorrect noglob sem", then: thenCommand},
		{names: "timeout gtimeout", then: thenCommand, skip: 1, values: words("-k --kill-after -s --signal")},
		{names: "nice", then: thenCommand, values: words("-n --adjustment")},
		{names: "ionice", then: thenCommand, values: words("-c -n -p --class --classdata")},
		{names: "chrt taskset faketime", then: thenCommand, skip: 1},
		{names: "stdbuf", then: thenCommand, values: words("-i -o -e --input --output --error")},
		{names: "time gtime", then: thenCommand, values: words("-f --format -o --output")},
		{names: "xvfb-run", then: thenCommand, values: words("-e --error-file -f --auth-file -n --server-num -p --xauth-protocol -s --server-args -w --wait")},
		{names: "sudo doas", then: thenCommand, assigns: true, values: words("-u -g -C -h -p -R -T -U -r -t --user --group"), dirs: words("-D --chdir")},
		{names: "flock", then: thenCommand, skip: 1, values: words("-w --wait --timeout -E"), shell: true, code: words("-c --command")},
		{names: "xargs gxargs", then: thenCommand, values: words("-I -n -P -L -d -a -E -s --max-args --max-procs --delimiter --arg-file")},
		{names: "find", then: thenNothing, special: (*oracle).findExec},
		{names: "strace ltrace", then: thenCommand, values: words("-o -e -s -p -E -a -P -u -S -O -b -I")},
		{names: "valgrind", then: thenCommand},
		{names: "gdb lldb", then: thenCommand, values: words("-ex -x -iex"), long: words("-ex -iex")},
		{names: "unshare firejail bwrap systemd-run", then: thenCommand},
		{names: "watch", then: thenShell, values: words("-n --interval")},
		{names: "trap", then: thenShell},
		{names: "nix-shell", then: thenNothing, shell: true, code: words("--run --command")},
		{names: "poetry pipenv pdm rye", subs: words("run"), then: thenCommand, dirs: words("-C --directory --project -P")},
		{names: "uv", subs: words("run"), then: thenCommand, dirs: words("--directory"), values: words("--with --python -p --extra --group --env-file --project --package --index-url --with-requirements")},
		{names: "hatch pixi mise rtx direnv", subs: words("run exec x"), then: thenCommand, values: words("-e --env")},
		{names: "conda mamba micromamba", subs: words("run"), then: thenCommand, values: words("-n -p --name --prefix")},
		{names: "bundle rbenv pyenv asdf nvm fnm volta", subs: words("exec run"), then: thenCommand},
		{names: "npx pnpx bunx", then: thenCommand, values: words("-p --package"), shell: true, code: words("-c --call")},
	}
}

// interpreters execute a file.
func interpreters() []program {
	return []program{
		{names: "sh bash dash ash zsh ksh mksh yash fish", then: thenScript, shell: true, code: words("-c --command"), values: words("-o -O +o +O"), execs: words("--rcfile --init-file"), long: words("-o -O +o +O")},
		{names: "busybox toybox", then: thenCommand},
		{names: "source .", then: thenScript, shell: true},
		{names: "python pypy py ipython", then: thenScript, python: true, code: words("-c"), module: words("-m"), values: words("-W -X -Q --check-hash-based-pycs"), tries: words("/__main__.py")},
		{
			names: "node nodejs tsx ts-node ts-node-esm", then: thenScript, code: words("-e --eval -p --print"), filesIf: words("--test"),
			execs:  words("-r --require --import --loader --experimental-loader --env-file --env-file-if-exists --experimental-config-file --project"),
			tries:  words(".js .cjs .mjs .ts /index.js /index.ts"),
			values: words("--run -C --conditions --test-name-pattern --test-reporter --test-reporter-destination --test-concurrency --test-timeout --stack-trace-limit --input-type --title --watch-path"), special: (*oracle).nodeRun,
		},
		{names: "ruby jruby", then: thenScript, code: words("-e"), values: words("-I -E -K -F -x"), dirs: words("-C"), execs: words("-r")},
		{names: "perl", then: thenScript, code: words("-e -E"), values: words("-I -M")},
		{names: "php", then: thenScript, code: words("-r -B -R -E"), values: words("-d -z -S -t"), execs: words("-f -F -c --php-ini")},
		{names: "lua luajit texlua", then: thenScript, code: words("-e"), values: words("-l")},
		{names: "Rscript R", then: thenScript, code: words("-e"), execs: words("-f --file")},
		{names: "julia", then: thenScript, code: words("-e -E"), values: words("-t -p -J"), execs: words("-L")},
		{names: "elixir iex", then: thenScript, code: words("-e --eval"), execs: words("-r")},
		{names: "escript tclsh wish guile racket groovy kotlin scala dart swift crystal osascript gnuplot", then: thenScript, code: words("-e")},
		{names: "expect", then: thenScript, code: words("-c"), execs: words("-f")},
		{names: "pwsh powershell", then: thenScript, code: words("-c -Command"), execs: words("-f -File"), values: words("-ExecutionPolicy -ep"), long: words("-Command -File -ExecutionPolicy -ep")},
		{names: "java", then: thenScript, execs: words("-jar"), values: words("-cp -classpath --class-path -p --module-path -m --module"), long: words("-jar -cp -classpath")},
		{names: "awk gawk mawk nawk", then: thenNothing, execs: words("-f --file"), values: words("-v -F")},
		{names: "sed gsed jq", then: thenNothing, execs: words("-f --file --from-file"), values: words("-e")},
		{names: "bun", subs: words("run test x"), subsOptional: true, then: thenTracked, execs: words("-r --preload --config -c"), special: (*oracle).npmScript},
		{names: "deno", subs: words("run test"), then: thenScript, execs: words("-c --config --import-map")},
	}
}

// words splits a list of flags.
func words(s string) []string { return strings.Fields(s) }
