package launcher

// Kind is what a Report says.
type Kind byte

// The reports of a launcher: Started and then Done, or Failed alone.
const (
	Started Kind = 'S' // the command runs; Leader is set
	Failed  Kind = 'F' // it was not started; Stage and Errno are set
	Done    Kind = 'D' // it has ended and nothing of it lives, but what Left counts
)

// Stage is the step of a start that failed.
type Stage int32

// The steps of a start.
const (
	StageSetup     Stage = iota + 1 // the launcher's own preparations
	StageDir                        // entering Spec.Dir
	StageExec                       // executing Spec.Path
	StageNamespace                  // the box: what is set in its namespaces
	StageRoot                       // the box: its root
	StageMount                      // the box: the mount of Box.Mounts whose index is in Status
	StageDrop                       // the box: giving up privileges
	StageLandlock                   // the box: Landlock
	StageSeccomp                    // the box: the filters
	StageLimits                     // the box: resource limits
)

// Report is one message of the launcher.
type Report struct {
	Kind      Kind
	Leader    int32 // process id of the command, also its session and process group
	Stage     Stage
	Errno     int32
	Status    int32 // wait status of the command, as wait4(2) gives it
	Killed    int32 // 1 when it was killed on order, before its own end was seen
	Survivors int32 // processes that outlived the command and were killed
	Left      int32 // processes that could not be killed
}

// ReportSize is the number of bytes of a report on the control socket.
const ReportSize = 1 + 7*4

// Encode gives the form that DecodeReport reads.
func (r Report) Encode() []byte {
	buf := append(make([]byte, 0, ReportSize), byte(r.Kind))
	for _, v := range []int32{r.Leader, int32(r.Stage), r.Errno, r.Status, r.Killed, r.Survivors, r.Left} {
		buf = appendNumber(buf, int(v))
	}
	return buf
}

// DecodeReport reads a report.
func DecodeReport(buf [ReportSize]byte) Report {
	field := func(i int) int32 { return number(buf[1+4*i:]) }
	return Report{
		Kind: Kind(buf[0]), Leader: field(0), Stage: Stage(field(1)), Errno: field(2),
		Status: field(3), Killed: field(4), Survivors: field(5), Left: field(6),
	}
}
