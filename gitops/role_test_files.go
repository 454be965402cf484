package gitops

// testRoles are the test files of the languages, by the names that their
// runners look for.
func testRoles() []role {
	rows := []role{
		{name: "go-test", what: "a Go test file (go help test)", patterns: []string{"*_test.go"}},
		{name: "python-test", what: "a Python test file", patterns: []string{
			"test_*.py", "*_test.py", "test.py", "tests.py", // pytest's python_files, unittest discovery, Django
		}},
		{name: "js-test", what: "a JavaScript or TypeScript test file", patterns: []string{
			"*.{test,spec,e2e,cy}.{js,jsx,mjs,cjs,ts,tsx,mts,cts}",           // jest, vitest, cypress
			"*{-,_}{test,spec}.{js,jsx,mjs,cjs,ts,tsx,mts,cts}",              // node --test, jasmine
			"test-*.{js,mjs,cjs,ts,mts,cts}", "test.{js,mjs,cjs,ts,mts,cts}", // node --test
			"*{.,-}{test,spec}.d.{ts,mts,cts}", "*.{test,spec}.{vue,svelte,astro}", // type tests, components
			"__tests__/", "__mocks__/", "cypress/", "e2e/",
		}},
		{name: "rust-test", what: "a Rust test file", patterns: []string{"*_test.rs", "*_tests.rs", "tests.rs", "test.rs"}},
		{name: "jvm-test", what: "a test file of the Java virtual machine's languages", patterns: []string{
			"**/src/test/**", "**/src/*Test/**", "**/src/it/**", // Maven, Gradle source sets
			"*{Test,Tests,TestCase,IT,ITCase,Spec,Suite}.{java,kt,kts,groovy,scala}", // Surefire, Failsafe, Spock
			"{Test,IT}[A-Z]*.{java,kt,groovy,scala}",
		}},
		{name: "ruby-test", what: "a Ruby test file", patterns: []string{"*_{test,spec}.rb", "test_*.rb", "{spec,test,rails}_helper.rb"}},
		{name: "php-test", what: "a PHP test file", patterns: []string{"*{Test,Cest,TestCase}.php", "*.phpt"}},
		{name: "dotnet-test", what: "a .NET test file", patterns: []string{
			"*{Test,Tests,Spec,Specs}.{cs,fs,vb}", "*{.,}{Test,Tests,UnitTests,IntegrationTests,Specs}/",
		}},
		{name: "shell-test", what: "a shell test file", patterns: []string{
			"*.bats", "*.bash_test", "*{_,-,.}test.{sh,bash,zsh}", "test{_,-}*.{sh,bash,zsh}",
			"{test,tests,runtest,runtests,run-test,run-tests,run_test,run_tests}.{sh,bash,zsh}", "*_spec.sh", "*.t", "/t/", "*.txtar",
		}},
		{name: "native-test", what: "a C, C++ or Objective-C test file", patterns: []string{
			"*{_,-}{test,tests,unittest}.{c,cc,cpp,cxx,h,hpp,m,mm}", "test{_,-}*.{c,cc,cpp,cxx}", "*{Test,Tests}.{cpp,cc,cxx,m,mm}",
		}},
		{name: "other-test", what: "a test file", patterns: []string{
			"*_test.{exs,dart,clj,cljs,cljc,erl,zig,nim,lua,ml,jl}", "*_SUITE.erl", "*_spec.lua",
			"*{Test,Tests,Spec}.{swift,hs,elm,purs}", "*.feature",
		}},
		{name: "test-folder", what: "part of a test folder", patterns: []string{
			"{test,tests,spec,specs,unittests,testing_data}/", "{testdata,test_data,test-data,testutil,testutils,test_helpers,testhelpers}/",
		}},
	}
	for i := range rows {
		rows[i].policy, rows[i].test = frozen, true
	}
	return rows
}

// materialRoles are what tests compare with or feed to the code.
func materialRoles() []role {
	rows := []role{
		{name: "fixture", what: "a test fixture", patterns: []string{
			"{fixture,fixtures,__fixtures__,cassettes,__cassettes__}/",
		}},
		{name: "snapshot", what: "an expected result of a test", patterns: []string{
			"{__snapshots__,snapshots,__image_snapshots__,golden,goldens,expected}/",
			"*.{snap,golden,ambr,expected,want}", "*.{approved,verified,expected,golden}.*", "*.snap.*",
		}},
		// Files of data: expected.hpp and reference.go may be the code under
		// repair, and reference.md is documentation.
		{name: "snapshot", what: "an expected result of a test", files: true, patterns: []string{
			"{expected,golden}", "{expected,golden}.*",
		}, but: []string{"*.{h,hh,hpp,hxx,c,cc,cpp,cxx,rs,go,java,kt,swift,cs,scala}"}},
		{name: "snapshot", what: "an expected result of a test", files: true, patterns: []string{
			"{expect,want,reference}", "{expect,want,reference}.*",
		}, but: []string{
			"*.{h,hh,hpp,hxx,c,cc,cpp,cxx,rs,go,java,kt,swift,cs,scala,py,pyi,rb,js,mjs,cjs,jsx,ts,mts,cts,tsx,php,lua,ex,exs,sh}",
			"*.{md,rst,adoc}",
		}},
	}
	for i := range rows {
		rows[i].policy, rows[i].test = frozen, true
	}
	return rows
}
