// Command patchvet vets patches: see the README.
package main

import (
	"os"

	"github.com/patchvet/patchvet/isolation"
)

// version is set by the linker.
var version = "unknown"

func main() {
	if isolation.RunLauncher() {
		return
	}
	os.Exit(Command{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Environ: os.Environ(), Version: version}.Main(os.Args))
}
