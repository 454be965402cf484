package gitops

import "errors"

// errLocked says that another process holds the lock.
var errLocked = errors.New("the lock is held by another process")
