package gitops

// runnerRoles are the files that tell a test runner what to run, which
// plugins to load and how to judge. One that the base lacks would take effect
// as soon as it exists, so none may be added.
func runnerRoles() []role {
	rows := []role{
		{name: "pytest-config", what: "configuration of pytest", patterns: []string{
			"{,.}pytest.{ini,toml}", "conftest.py",
		}},
		{name: "python-project", what: "a project file where pytest and tox read options; any edit counts, also one of a dependency", patterns: []string{
			"pyproject.toml", "setup.cfg", "tox.ini",
		}},
		{name: "python-runner-config", what: "configuration of a Python test runner", patterns: []string{
			"tox.toml", "noxfile.py", "{,.}unittest.cfg", "{,.}nose{,2}.cfg", ".noserc", ".coveragerc",
		}},
		{name: "go-config", what: "a Go workspace, which redirects modules", patterns: []string{"go.work", "go.work.sum"}},
		{name: "js-runner-config", what: "configuration of a JavaScript test runner", patterns: []string{
			"{jest,vitest,vite,ava,karma,playwright,cypress,wdio,web-test-runner,jasmine,mocha,tap,c8,nyc,stryker}{.,-}{config,conf,setup,preset,workspace}*",
			"{jest,vitest}.{setup,global-setup,projects}*", "{setupTests,setup-tests,setupJest}.{js,jsx,ts,tsx,mjs,cjs}",
			".{mocharc,nycrc,c8rc,taprc,jestrc}", ".{mocharc,nycrc,c8rc,taprc,jestrc}.*", "{mocha,jasmine}.{opts,json}", "cypress.json", "bunfig.toml",
		}},
		{name: "js-transform", what: "configuration of what compiles the tests", patterns: []string{
			"babel.config.*", ".babelrc", ".babelrc.*", ".swcrc", "tsconfig.json", "tsconfig.*.json", "jsconfig.json",
		}},
		{name: "cargo-config", what: "configuration of cargo or its toolchain", patterns: []string{
			"**/.cargo/{config,config.toml}", "rust-toolchain", "rust-toolchain.toml", "**/.config/nextest.toml",
		}},
		{name: "ruby-runner-config", what: "configuration of a Ruby test runner", patterns: []string{".rspec", ".rspec-local", ".minitest*", "cucumber.{yml,yaml}"}},
		{name: "php-runner-config", what: "configuration of a PHP test runner", patterns: []string{
			"phpunit{,.dist}.xml{,.dist}", "{pest,Pest}.php", "codeception{,.dist}.{yml,yaml}", "behat{,.dist}.{yml,yaml}", "phpspec{,.dist}.{yml,yaml}",
		}},
		{name: "dotnet-runner-config", what: "configuration of a .NET test runner", patterns: []string{
			"*.runsettings", "xunit.runner.json", "*.testsettings", "Directory.Build.{props,targets}", "testconfig.json",
		}},
		{name: "jvm-runner-config", what: "configuration of a Java test runner", patterns: []string{
			"junit-platform.properties", "testng{,.xml}", "**/.mvn/**", "gradle/wrapper/**", "init.gradle{,.kts}",
			"**/META-INF/services/org.junit*", "**/META-INF/services/org.testng*",
		}},
		{name: "ctest-config", what: "configuration of CTest", patterns: []string{"CTest{Config,Custom,Testfile}.*"}},
		{name: "shell-runner-config", what: "configuration of a shell test runner", patterns: []string{".proverc", ".shellspec", ".shellspec-*"}},
		{name: "toolchain-config", what: "a choice of the tools that commands mean", patterns: []string{
			".tool-versions", "{,.}mise{,.local}.toml", ".envrc", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", "pnpm-workspace.yaml", "**/.yarn/{releases,plugins}/**",
		}},
	}
	for i := range rows {
		rows[i].policy = closed
	}
	return rows
}
