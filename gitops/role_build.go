package gitops

// buildRoles are build files. They hold what the oracle runs only when the
// oracle runs their program, and then the whole file is closed, because a
// path alone does not tell which key of it changed.
func buildRoles() []role {
	const whole = ", which the oracle runs; any edit counts, also one of a dependency"
	rows := []role{
		// make takes the first of GNUmakefile, makefile, Makefile (make(1)): a new
		// one of these can hide the one that is there.
		{name: "makefile", what: "a file of make, which the oracle runs", patterns: []string{"{GNUmakefile,makefile,Makefile}", "*.mk", "*.mak"}, when: []string{"make", "gmake", "bmake"}},
		{name: "justfile", what: "a file of just, which the oracle runs", patterns: []string{"{,.}justfile", "*.just"}, when: []string{"just"}},
		{name: "taskfile", what: "a file of task, which the oracle runs", patterns: []string{"Taskfile{,.dist}.{yml,yaml}"}, when: []string{"task", "go-task"}},
		{name: "rakefile", what: "a file of rake, which the oracle runs", patterns: []string{"{rakefile,Rakefile}{,.rb}", "*.rake"}, when: []string{"rake", "rails"}},
		{name: "package-json", what: "the script list of a JavaScript package manager" + whole, patterns: []string{"package.{json,json5,yaml}"}, when: []string{
			"npm", "yarn", "pnpm", "bun", "npx", "pnpx", "bunx", "node --run", "jest", "mocha", "vitest", "ava", "tap", "lerna", "nx", "turbo", "c8", "nyc",
		}},
		{name: "js-monorepo", what: "the task list of a JavaScript monorepo tool, which the oracle runs", patterns: []string{"{turbo,nx,lerna,project,rush}.json"}, when: []string{"turbo", "nx", "lerna", "rush"}},
		{name: "deno-json", what: "configuration of deno, which the oracle runs", patterns: []string{"deno.{json,jsonc}"}, when: []string{"deno"}},
		{name: "composer-json", what: "the script list of composer" + whole, patterns: []string{"composer.json"}, when: []string{"composer"}},
		{name: "maven", what: "a build file of Maven" + whole, patterns: []string{"pom.xml"}, when: []string{"mvn", "mvnw", "mvnd"}},
		{name: "gradle", what: "a build file of Gradle" + whole, patterns: []string{"*.gradle{,.kts}", "gradle.properties", "**/buildSrc/**"}, when: []string{"gradle", "gradlew"}},
		{name: "sbt", what: "a build file of sbt" + whole, patterns: []string{"build.sbt", "project/*.{sbt,scala,properties}"}, when: []string{"sbt"}},
		{name: "bazel", what: "configuration of Bazel, which the oracle runs", patterns: []string{".bazelrc", ".bazeliskrc", "user.bazelrc"}, when: []string{"bazel", "bazelisk"}},
		{name: "mix", what: "a build file of mix" + whole, patterns: []string{"mix.exs"}, when: []string{"mix"}},
		{name: "hatch", what: "configuration of hatch, which the oracle runs", patterns: []string{"hatch.toml"}, when: []string{"hatch"}},
		{name: "pre-commit", what: "configuration of pre-commit, which the oracle runs", patterns: []string{".pre-commit-config.{yaml,yml}"}, when: []string{"pre-commit"}},
	}
	for i := range rows {
		rows[i].policy = closed
	}
	return rows
}
