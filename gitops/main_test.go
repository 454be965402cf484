package gitops

import (
	"os"
	"testing"

	"github.com/patchvet/patchvet/internal/testkit"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m)) }
