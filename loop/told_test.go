package loop

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestRoomRelative reads every quoted value back through a real shell.
func TestRoomRelative(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		tail := rapid.StringOfN(rapid.RuneFrom([]rune("a/ '\"$`\\\n*é!;&|")), 0, 12, -1).Draw(rt, "tail")
		room := rapid.SampledFrom([]string{dir, "/other", here}).Draw(rt, "room")
		value := rapid.SampledFrom([]string{room + "/" + tail, room, tail, room + tail}).Draw(rt, "value")
		cmd := exec.Command("sh", "-c", "printf %s "+roomRelative(value, room))
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			rt.Fatal(err)
		}
		want := value
		if rest, ok := strings.CutPrefix(value, room); ok && (rest == "" || rest[0] == '/') {
			want = dir + rest
		}
		if string(out) != want {
			rt.Fatalf("the shell reads %q, want %q", out, want)
		}
	})
}
