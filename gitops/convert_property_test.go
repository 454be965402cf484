package gitops

import (
	"os"
	"strings"
	"testing"

	"github.com/patchvet/patchvet/internal/testkit"
	"pgregory.net/rapid"
)

// TestConversionAgainstGit: under any attributes and configuration, a changed
// file becomes the blob that `git add` makes of it in the user's checkout of
// the base, if git checks out the same bytes from that blob; else it is
// rejected. A clean room has those bytes.
func TestConversionAgainstGit(t *testing.T) {
	t.Parallel()
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "\n", "\r\n", "\r", "é", "\x00", "$Id$", "\x1a"}), 0, 8).Draw(t, "text"), "")
	})
	words := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{
		"text", "-text", "text=auto", "!text", "text=input", "text=odd", "eol=lf", "eol=crlf", "-eol", "crlf", "-crlf", "crlf=input",
		"binary", "working-tree-encoding=UTF-16LE-BOM", "working-tree-encoding=ISO-8859-1",
	}), 0, 3, rapid.ID)
	rapid.Check(t, func(rt *rapid.T) {
		attrs := strings.Join(words.Draw(rt, "attributes"), " ")
		autocrlf := rapid.SampledFrom([]string{"false", "true", "input"}).Draw(rt, "autocrlf")
		eol := rapid.SampledFrom([]string{"", "lf", "crlf", "native"}).Draw(rt, "eol")
		base, changed := text.Draw(rt, "base"), text.Draw(rt, "changed")

		// The blob of the base is as odd as it may be: stored as it is.
		repo := testkit.NewRepo(t)
		repo.Write(".gitattributes", "f "+attrs+"\n")
		blob := repo.GitInput(base, "hash-object", "-w", "--no-filters", "--stdin")
		repo.Git("add", ".gitattributes")
		repo.Git("update-index", "--add", "--cacheinfo", "100644,"+blob+",f")
		repo.Git("commit", "-q", "-m", "base")
		repo.Config("core.autocrlf", autocrlf).Config("core.safecrlf", "false")
		if eol != "" {
			repo.Config("core.eol", eol)
		}
		repo.Git("checkout", "-q", "HEAD", "--", "f")
		original := repo.Read("f")

		s := sealHead(t, repo)
		defer s.scratch.Close()
		room := s.room("")
		if got := room.Read("f"); got != original {
			rt.Fatalf("the room has %q, the user's checkout %q", got, original)
		}
		room.Write("f", changed)
		frozen, err := s.Freeze(t.Context(), room.Room, FreezeOptions{})
		if err != nil {
			rt.Fatal(err)
		}

		want, rejected, checkout := blob, false, changed
		if changed != original {
			repo.Write("f", changed)
			if _, err := repo.TryGit("add", "f"); err != nil {
				rejected = true
			} else {
				want = repo.Git("rev-parse", ":f")
				noError(t, os.Remove(repo.Path("f")))
				repo.Git("checkout-index", "f")
				checkout = repo.Read("f")
				// Files with LF alone get the line ends that a checkout gives.
				onlyCR := !strings.Contains(changed, "\r") && strings.ReplaceAll(checkout, "\r\n", "\n") == changed
				rejected = checkout != changed && (!onlyCR || strings.Contains(attrs, "encoding"))
			}
		}
		if is := len(frozen.Rejected) > 0; is != rejected {
			rt.Fatalf("rejected %v, want %v: %s", is, rejected, rules(frozen.Rejected))
		}
		if rejected {
			if frozen.Tree != s.Base().Tree {
				rt.Fatal("a rejected file is in T")
			}
			return
		}
		if got := s.entriesOf(frozen.Tree)["f"]; got != "100644 "+want {
			rt.Fatalf("the blob is %s, want %s", got, want)
		}
		if clean := s.room(frozen.Tree); clean.Read("f") != checkout {
			rt.Fatalf("the clean room has %q", clean.Read("f"))
		}
		if _, err := s.Diff(t.Context(), frozen.Tree); err != nil {
			rt.Fatal(err)
		}
	})
}
