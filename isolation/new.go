package isolation

import (
	"errors"
	"fmt"
	"strings"
)

// Options is what a caller allows a box to be. The zero value allows nothing.
type Options struct {
	// AllowUnsafeHost permits to run commands on this machine without any
	// isolation (--allow-unsafe-host).
	AllowUnsafeHost bool
}

// ErrNoIsolation says that nothing may run: no isolation was asked for that
// this version can give, and running without any was not allowed.
var ErrNoIsolation = errors.New("no adequate isolation: name a wrapper that isolates (--via 'WRAPPER ... sh -c'), or allow running on this machine without any (--allow-unsafe-host)")

// UnknownBackendError says that --via names a back-end that this version does
// not have.
type UnknownBackendError struct{ Via string }

func (e *UnknownBackendError) Error() string {
	name, _, _ := strings.Cut(e.Via, ":")
	if name == "native" {
		return "--via native: this version has no native isolation; give a wrapper's command line, such as --via 'bwrap ... sh -c'"
	}
	return fmt.Sprintf("--via %s: this version has no back-end %s; give a whole command line, such as --via '%s ... sh -c'", e.Via, name, name)
}

// New returns the box that via names:
//
//	"" or "auto"   the first back-end that proves itself; this version has none,
//	               so none where AllowUnsafeHost is set, else ErrNoIsolation
//	"none"         plain processes of this machine; needs AllowUnsafeHost
//	anything else  a wrapper's command line, see wrapper
//
// The names of back-ends that this version lacks ("native", "bwrap",
// "docker:IMAGE", "podman:IMAGE") give *UnknownBackendError, and a command line
// that cannot work as a wrapper gives *ViaError.
func New(via string, opt Options) (Box, error) {
	via = strings.TrimSpace(via)
	switch kindOf(via) {
	case kindAuto, kindNone:
		if !opt.AllowUnsafeHost {
			return nil, ErrNoIsolation
		}
		return none{}, nil
	case kindMissing:
		return nil, &UnknownBackendError{Via: via}
	default:
		return newWrapper(via)
	}
}

// viaKind is what a spelling of --via asks for.
type viaKind int

const (
	kindWrapper viaKind = iota
	kindAuto
	kindNone
	kindMissing // a back-end that this version lacks
)

// kindOf reads a spelling without surrounding space. A single word that names
// a back-end is never taken for a program of that name.
func kindOf(via string) viaKind {
	switch name := strings.ToLower(via); {
	case name == "" || name == "auto":
		return kindAuto
	case name == "none":
		return kindNone
	case strings.ContainsAny(name, " \t\n"):
		return kindWrapper
	case name == "native" || name == "bwrap" || name == "docker" || name == "podman",
		strings.HasPrefix(name, "docker:"), strings.HasPrefix(name, "podman:"):
		return kindMissing
	}
	return kindWrapper
}
