package gitops

// What the words after a program's flags are.
const (
	thenNothing = iota // data of its own
	thenCommand        // a command and its arguments
	thenShell          // a shell text, as with eval
	thenScript         // a file that is executed and its arguments
	thenTracked        // thenScript if the base has the file, else the name of something else
	thenFiles          // files that are all executed
)

// program is a row of the tables in the files program_*.go: how to find, in
// its arguments, what a program executes.
type program struct {
	names string   // separated by spaces
	subs  []string // the command is the word after one of these ("poetry run")
	then  int

	subsOptional bool
	skip         int      // words before it ("timeout 10 CMD")
	assigns      bool     // NAME=VALUE words may stand before it
	shell        bool     // code and scripts are shell text
	python       bool     // code and scripts are Python's
	code         []string // flags whose value is program text
	module       []string // flags whose value is a Python module
	execs        []string // flags whose value is a file that is executed, or configures what is
	dirs         []string // flags whose value is a working directory
	values       []string // other flags with a value
	long         []string // flags with one dash that are no group of letters
	filesIf      []string // flags with which the rest are files
	nothingIf    []string // flags with which the rest are data
	tries        []string // what a script's name may lack
	special      func(o *oracle, args []word, at *stand)
}

// afterSub are the words after the first subcommand of the row.
func (p program) afterSub(args []word) ([]word, bool) {
	for i := 0; i < len(args); i++ {
		w := args[i]
		if len(w.start()) > 1 && w.start()[0] == '-' {
			if flag, _, has := p.cutFlag(w); !has && (contains(p.values, flag) || contains(p.dirs, flag)) {
				i++
			}
			continue
		}
		if !contains(p.subs, w.text) {
			return nil, false
		}
		return args[i+1:], true
	}
	return nil, false
}
