//go:build unix

package feedback

import "os"

// syncDir makes a rename durable (fsync(2): the entry of a file in its folder
// needs an fsync of its own).
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
