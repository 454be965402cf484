package isolation

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	if RunLauncher() {
		return
	}
	if runsRow() {
		return
	}
	os.Exit(m.Run())
}
