package gitops

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/patchvet/patchvet/internal/testkit"
)

func pointer(content string) (text, oid string) {
	sum := sha256.Sum256([]byte(content))
	oid = hex.EncodeToString(sum[:])
	return fmt.Sprintf("version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n", oid, len(content)), oid
}

// TestLFSContent: a room has the content where it is on this machine, else
// the pointer with a warning; git in the room sees no change; an edit is
// rejected. git-lfs is not needed for any of it.
func TestLFSContent(t *testing.T) {
	t.Parallel()
	here, oid := pointer("big here\n")
	gone, _ := pointer("big gone\n")
	store := func(t testing.TB, root string) {
		noError(t, writeFile(filepath.Join(root, "objects", oid[:2], oid[2:4], oid), "big here\n"))
	}
	for name, place := range map[string]func(t testing.TB, repo *testkit.Repo){
		"own store": func(t testing.TB, repo *testkit.Repo) { store(t, repo.Path(".git/lfs")) },
		"lfs.storage": func(t testing.TB, repo *testkit.Repo) {
			repo.Config("lfs.storage", "away")
			store(t, repo.Path(".git/away"))
		},
		"absolute lfs.storage": func(t testing.TB, repo *testkit.Repo) {
			dir := t.TempDir()
			repo.Config("lfs.storage", dir)
			store(t, dir)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			repo := testkit.NewRepo(t).Write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n").
				Write("here.bin", here).WriteMode("also.bin", here, 0o755).Write("gone.bin", gone).Write("plain.bin", "no pointer\n").Write("a.txt", here).Commit("base")
			place(t, repo)
			s := sealHead(t, repo)
			equal(t, "warnings", strings.Join(s.Warnings(), "\n"),
				"the LFS content of gone.bin is not on this machine: rooms have its pointer (`git lfs pull` fetches it)")
			room := s.room("")
			for p, want := range map[string]string{"here.bin": "big here\n", "also.bin": "big here\n", "gone.bin": gone, "plain.bin": "no pointer\n", "a.txt": here} {
				equal(t, p, room.Read(p), want)
			}
			equal(t, "status", room.Git("status", "--porcelain"), "")
			room.Write("a.txt", "x\n").Remove("also.bin")
			frozen := s.mustFreeze(room)
			equal(t, "changes", lines(frozen.Changes), "modified 100644 a.txt\ndeleted  also.bin\n")
			clean := s.room(frozen.Tree)
			equal(t, "in the clean room", clean.Read("here.bin"), "big here\n")
			room.Write("here.bin", "changed\n").Write("gone.bin", "changed\n")
			equal(t, "rejected", rules(s.mustFreeze(room).Rejected), "filtered-path gone.bin\nfiltered-path here.bin\n")
			if room.Read("here.bin"); s.lfsContent(oid, 9) == "" {
				t.Error("the content is gone from the store")
			}
		})
	}
}

// TestLFSDamaged: content that is not what its name says is no content.
func TestLFSDamaged(t *testing.T) {
	t.Parallel()
	text, oid := pointer("big here\n")
	repo := testkit.NewRepo(t).Write(".gitattributes", "*.bin filter=lfs\n").Write("x.bin", text).Commit("base")
	noError(t, writeFile(repo.Path(".git/lfs/objects/"+oid[:2]+"/"+oid[2:4]+"/"+oid), "big Here\n"))
	s := sealHead(t, repo)
	_, err := s.NewRoom(t.Context(), RoomSpec{})
	if err == nil || !strings.Contains(err.Error(), "is damaged") {
		t.Errorf("got %v", err)
	}
	if entries, err := os.ReadDir(s.scratch.Path(roomFolder)); err != nil || len(entries) > 0 {
		t.Errorf("left over: %v %v", entries, err)
	}
}

// TestLFSProgram: with git-lfs itself, committed and not yet committed files.
func TestLFSProgram(t *testing.T) {
	if _, err := exec.LookPath("git-lfs"); err != nil {
		t.Skip("git-lfs is not installed: pointers and stores are tested without it")
	}
	repo := testkit.NewRepo(t)
	repo.Git("lfs", "install", "--local", "--skip-repo")
	repo.Write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n").Write("old.bin", "old content\n").Write("a.txt", "a\n").Commit("base")
	if !strings.HasPrefix(repo.Git("cat-file", "blob", "HEAD:old.bin"), "version https://git-lfs") {
		t.Fatal("git-lfs made no pointer")
	}
	repo.Write("new.bin", "new content\n").Write("old.bin", "old content, changed\n")
	s := sealSnapshot(t, repo)
	equal(t, "warnings", strings.Join(s.Warnings(), "\n"), "")
	room := s.room("")
	equal(t, "old.bin", room.Read("old.bin"), "old content, changed\n")
	equal(t, "new.bin", room.Read("new.bin"), "new content\n")

	repo.Git("stash", "-q", "-u")
	s = sealHead(t, repo)
	room = s.room("")
	equal(t, "old.bin of HEAD", room.Read("old.bin"), "old content\n")
	room.Write("a.txt", "b\n")
	s.freeze(room)
}

// TestParsePointer: exactly the pointers of the specification.
func TestParsePointer(t *testing.T) {
	t.Parallel()
	good, oid := pointer("x")
	for text, ok := range map[string]bool{
		good: true,
		strings.Replace(good, "git-lfs.github.com", "hawser.github.com", 1): true,
		"":                             false,
		good + "\n":                    false,
		strings.TrimSuffix(good, "\n"): false,
		strings.ToUpper(good):          false,
		strings.Replace(good, oid, strings.ToUpper(oid), 1):              false,
		strings.Replace(good, "sha256", "sha1", 1):                       false,
		strings.Replace(good, "size 1", "size -1", 1):                    false,
		strings.Replace(good, "size 1", "size 01", 1):                    false,
		strings.Replace(good, "size 1", "size 9223372036854775808", 1):   false,
		strings.Replace(good, "oid ", "ext-0-x sha256:"+oid+"\noid ", 1): false,
		strings.Replace(good, oid, "../../../../etc/passwd", 1):          false,
		good[:strings.Index(good, "size")] + strings.Repeat(" ", 2000):   false,
	} {
		if got, size, is := parsePointer([]byte(text)); is != ok || is && (got != oid || size != 1) {
			t.Errorf("%q: %q %d %v", text, got, size, is)
		}
	}
}

func FuzzParsePointer(f *testing.F) {
	good, _ := pointer("x")
	f.Add([]byte(good))
	f.Add([]byte("version https://git-lfs.github.com/spec/v1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		oid, size, ok := parsePointer(data)
		if !ok {
			return
		}
		again := fmt.Sprintf("oid sha256:%s\nsize %d\n", oid, size)
		if _, rest, _ := strings.Cut(string(data), "\n"); rest != again || len(oid) != 64 || strings.ContainsAny(oid, "/.") {
			t.Errorf("%q gives %q", data, again)
		}
	})
}
