package isolation

import "fmt"

// signalName spells a signal's number, which a Unix shell may report here too.
func signalName(n int) string { return fmt.Sprintf("signal %d", n) }
