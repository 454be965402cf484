package isolation

import "strings"

// quoteArgv spells an argv as a line for sh. exec makes the shell run the
// program of that name even where it has a builtin of the same name.
func quoteArgv(argv []string) string {
	var line strings.Builder
	line.WriteString("exec")
	for _, arg := range argv {
		line.WriteByte(' ')
		line.WriteString(quote(arg))
	}
	return line.String()
}

// quote puts a string in single quotes, in which sh takes every byte as it is
// (POSIX sh, 2.2.2); a single quote itself must stand outside of them.
func quote(arg string) string { return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'" }
