package gitops

// startupRoles are files that change what a program is before it begins: what
// an interpreter loads by itself, modules that stand in the way of the
// runner's, and git's own settings.
func startupRoles() []role {
	return []role{
		{
			name: "python-startup", policy: closed, what: "loaded by Python by itself (site module)",
			patterns: []string{"{site,user}customize.{py,pyc,so,pyd}", "{site,user}customize/", "*.pth", "*.egg-link", "pyvenv.cfg", "python*._pth"},
		},
		{
			name: "python-metadata", policy: closed, what: "package metadata, whose entry points name plugins",
			patterns: []string{"*.egg-info/", "*.dist-info/"},
		},
		// Which other modules may not be hidden, and where, depends on what the
		// oracle runs; see pythonModules. These have no other meaning anywhere.
		{
			name: rulePythonShadow, policy: noNew, what: "a module in the place of the test runner's",
			patterns: shadows([]string{"", "src/", "lib/", "test/", "tests/"}, "{pytest,_pytest,unittest}"),
		},
		{
			name: rulePythonShadow, policy: noNew, what: "part of a package in the place of the test runner's",
			patterns: []string{"{,src/,lib/}{pytest,_pytest,unittest}/**"},
		},
		{
			name: "js-shadow", policy: closed, what: "a program in the place of the test runner's",
			patterns: []string{
				"**/node_modules/.bin/**",
				"**/node_modules/{jest,mocha,vitest,ava,jasmine,karma,tap,chai,expect,c8,nyc,ts-node,tsx}/**", "**/node_modules/{@jest,@vitest,@playwright}/**",
			},
		},
		{name: "php-shadow", policy: closed, what: "a program in the place of the test runner's", patterns: []string{"**/vendor/bin/**", "**/vendor/{phpunit,pestphp}/**"}},
		{
			name: RuleShape, policy: closed, what: "a file by which git changes how other files read or show",
			patterns: []string{".gitattributes", ".gitmodules", ".lfsconfig"},
		},
	}
}

// shadows are the files that make a Python module of one of the names in one
// of the folders.
func shadows(folders []string, names ...string) []string {
	var patterns []string
	for _, folder := range folders {
		for _, name := range names {
			patterns = append(patterns,
				"/"+folder+name+".{py,pyc,pyd,so}", "/"+folder+name+".*.{so,pyd}", "/"+folder+name+"/__init__.*")
		}
	}
	return patterns
}
