package isolation

// Exit codes that a shell (POSIX sh, 2.8.2) and a container engine (docker run,
// exit status) give a meaning.
const (
	exitEngine        = 125 // the container engine itself failed
	exitNotExecutable = 126
	exitNotFound      = 127
	exitSignal        = 128 // plus the signal's number

	lastSignal = 64 // SIGRTMAX of Linux; other systems have fewer
)

// classify fills in what a natural end says.
func (r *Result) classify(end ending, tier Tier) {
	r.ExitCode = end.code
	if end.signal > 0 {
		r.ExitCode = exitSignal + end.signal
	}
	switch code := r.ExitCode; {
	case code == 0:
		r.Class = ClassPass
	case code == exitEngine && tier == TierContainer:
		r.Class = ClassInfra
		r.Reason = "exit 125: the container engine could not run the command; its message is in the log"
	case code == exitNotExecutable:
		r.Class = ClassError
	case code == exitNotFound:
		r.Class = ClassNotFound
	case code > exitSignal && code <= exitSignal+lastSignal:
		r.Class = ClassSignal
		r.Signal = signalName(code - exitSignal)
	default:
		r.Class = ClassTestFail
	}
}
