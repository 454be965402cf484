package feedback

// TestFirstBuildFailure tells the red of a test that was written before the
// code: the build, collection or import failed, and all that is missing are
// names that only protected test files use. Any other cause beside it, an
// error whose file is not known, or a log that lacks its middle, makes it
// false.
//
// protected is asked with paths of the tree.
func TestFirstBuildFailure(r Report, protected func(path string) bool) bool {
	if !r.BuildFailure || r.Unexplained || r.Truncated || len(r.Undefined) == 0 {
		return false
	}
	for _, u := range r.Undefined {
		if u.Path == "" || !protected(u.Path) {
			return false
		}
	}
	return true
}
