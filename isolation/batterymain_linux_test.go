package isolation

import "os"

// runsRow says whether the process was started to be a row of the battery, and
// was.
func runsRow() bool {
	if len(os.Args) != 4 || os.Args[1] != rowArgument {
		return false
	}
	runRow(os.Args[2], os.Args[3])
	return true
}
