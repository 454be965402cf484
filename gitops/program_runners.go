package gitops

// testRunners execute the test files that they are given. Those that take
// patterns instead of files, or only find what is named like a test, need no
// row for them: such files are guarded by their names.
func testRunners() []program {
	pytest := program{
		names: "pytest py.test", then: thenFiles, special: (*oracle).pytestFolders, module: words("-p"), nothingIf: words("--doctest-modules"),
		execs:  words("-c --config-file --cov-config"),
		values: words("-k -m -n -o -W --tb --maxfail --rootdir --ignore --deselect --junitxml --cov --cov-report --timeout --durations --import-mode --confcutdir --color -r --basetemp"),
	}
	return []program{
		pytest,
		{names: "unittest", then: thenFiles, special: (*oracle).unittestFolders, values: words("-k -s -p -t --start-directory --pattern --top-level-directory")},
		{names: "nose nosetests", then: thenFiles, special: (*oracle).pytestFolders, execs: words("-c --config")},
		{names: "doctest", then: thenNothing},
		{names: "coverage", subs: words("run"), then: thenScript, python: true, module: words("-m --module"), execs: words("--rcfile"), values: words("--source --include --omit --data-file --context -p")},
		{names: "trial stestr ward", then: thenFiles, special: (*oracle).pytestFolders},
		{names: "tox nox", then: thenNothing, special: (*oracle).pytestFolders, execs: words("-c --conf -f --noxfile")},
		{names: "mocha _mocha", then: thenFiles, execs: words("--config --require -r --file --opts --package --import"), values: words("-g --grep -f --fgrep -t --timeout -R --reporter -u --ui --retries -j --jobs")},
		{names: "jest vitest ava playwright cypress karma wdio jasmine web-test-runner wtr", then: thenNothing, execs: words("-c --config --setupFiles --globalSetup --globalTeardown --configFile --helper --require")},
		{names: "c8 nyc", then: thenCommand, execs: words("-c --config --nycrc-path -r --require"), values: words("--reporter --include -x --exclude")},
		{names: "tap", then: thenFiles},
		{names: "bats prove roundup shunit", then: thenFiles, values: words("-f --filter -j --jobs -I -F --formatter -T --output"), execs: words("-e --exec")},
		{names: "shellspec", then: thenFiles, execs: words("--require -r")},
		{names: "rspec", then: thenFiles, execs: words("-O --options -r --require"), values: words("-I -P --pattern -e --example -t --tag -f --format -o --out --seed")},
		{names: "cucumber behave lettuce", then: thenFiles, execs: words("-r --require")},
		{names: "phpunit pest paratest codecept behat", then: thenFiles, execs: words("-c --configuration --bootstrap"), values: words("--filter --group --exclude-group --testsuite --log-junit -d")},
		{names: "busted", then: thenFiles, execs: words("--helper -f --config-file")},
		{names: "ctest", then: thenNothing, execs: words("-S -SP --script"), long: words("-SP"), values: words("-R -E -L -j --test-dir")},
	}
}

// builders run what their files say; the files themselves are guarded as
// roles.
func builders() []program {
	return []program{
		{
			names: "make gmake bmake", then: thenNothing, execs: words("-f --file --makefile"), dirs: words("-C --directory"),
			values: words("-I -j -l -o -W"), special: (*oracle).make,
		},
		{names: "ninja samu", then: thenNothing, execs: words("-f"), dirs: words("-C")},
		{names: "cmake", then: thenNothing, execs: words("-P -C")},
		{names: "just task", then: thenNothing, execs: words("-f --justfile -t --taskfile"), dirs: words("-d --dir --working-directory")},
		{names: "npm yarn pnpm", then: thenNothing, dirs: words("--prefix -C --cwd --dir"), special: (*oracle).npmScript},
		{names: "go", then: thenNothing, dirs: words("-C"), special: (*oracle).goTool},
		{names: "cargo", then: thenNothing, execs: words("--config")},
		{names: "gradle gradlew", then: thenNothing, execs: words("-I --init-script -b --build-file -c --settings-file")},
		{names: "mvn mvnw mvnd", then: thenNothing, execs: words("-s --settings -gs -f --file"), long: words("-gs")},
		{names: "bazel bazelisk", then: thenNothing, execs: words("--bazelrc")},
		{names: "ant", then: thenNothing, execs: words("-f -file -buildfile"), long: words("-file -buildfile")},
		{names: "rake", then: thenNothing, execs: words("-f --rakefile")},
		{names: "composer", then: thenNothing, dirs: words("-d --working-dir")},
	}
}
