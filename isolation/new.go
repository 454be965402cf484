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

	// Native is what native isolation is set up for.
	Native NativeOptions
}

// ErrNoIsolation says that nothing may run: no isolation was asked for or
// found that holds, and running without any was not allowed.
var ErrNoIsolation = errors.New("no adequate isolation: ask for the native kind (--via native, Linux), name a wrapper that isolates (--via 'WRAPPER ... sh -c'), or allow running on this machine without any (--allow-unsafe-host)")

// UnknownBackendError says that --via names a back-end that this version does
// not have.
type UnknownBackendError struct{ Via string }

func (e *UnknownBackendError) Error() string {
	name, _, _ := strings.Cut(e.Via, ":")
	return fmt.Sprintf("--via %s: this version has no back-end %s; give a whole command line, such as --via '%s ... sh -c'", e.Via, name, name)
}

// New returns the box that via names:
//
//	"" or "auto"   none where AllowUnsafeHost is set, else ErrNoIsolation: no
//	               back-end is chosen unasked in this version
//	"native"       namespaces and a root of its own; Linux. Prove says whether
//	               it holds
//	"none"         plain processes of this machine; needs AllowUnsafeHost
//	anything else  a wrapper's command line, see wrapper
//
// The names of back-ends that this version lacks ("bwrap",
// "docker:IMAGE", "podman:IMAGE") give *UnknownBackendError, and a command line
// that cannot work as a wrapper gives *ViaError.
func New(via string, opt Options) (Box, error) {
	via = strings.TrimSpace(via)
	switch kindOf(via) {
	case kindAuto:
		if opt.AllowUnsafeHost {
			return none{}, nil
		}
		return nil, ErrNoIsolation
	case kindNone:
		if !opt.AllowUnsafeHost {
			return nil, ErrNoIsolation
		}
		return none{}, nil
	case kindNative:
		return newNative(opt.Native)
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
	kindNative
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
	case name == viaNative:
		return kindNative
	case strings.ContainsAny(name, " \t\n"):
		return kindWrapper
	case name == "bwrap" || name == "docker" || name == "podman",
		strings.HasPrefix(name, "docker:"), strings.HasPrefix(name, "podman:"):
		return kindMissing
	}
	return kindWrapper
}
