package isolation

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// suite is a real test suite of a kind, run by its own tools.
type suite struct {
	name  string
	needs string // program that must be there
	slow  bool   // left out with -short, and in the second run as an ordinary user
	files map[string]string
	line  string
	want  string // in its output
}

var suites = []suite{
	{
		name: "go with a module from the cache", needs: "go", slow: true,
		files: map[string]string{
			"go.mod": "module example.com/m\n\ngo 1.26.0\n\nrequire pgregory.net/rapid v1.3.0\n",
			"m_test.go": `package m

import (
	"net"
	"os/exec"
	"testing"

	"pgregory.net/rapid"
)

func TestRapid(t *testing.T) { rapid.Check(t, func(t *rapid.T) { _ = rapid.Int().Draw(t, "n") }) }

func TestServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	if out, err := exec.Command("git", "init", t.TempDir()).CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
}
`,
		},
		line: "go test -v ./...", want: "--- PASS: TestRapid",
	},
	{
		name: "unittest", needs: "python3",
		files: map[string]string{"test_m.py": `import multiprocessing, os, signal, socket, subprocess, tempfile, threading, unittest
from multiprocessing import shared_memory

class T(unittest.TestCase):
    def test_server(self):
        s = socket.create_server(("127.0.0.1", 0))
        c = socket.create_connection(s.getsockname())
        s.accept()[0].sendall(b"x")
        self.assertEqual(c.recv(1), b"x")
        c.close(); s.close()
    def test_shared_memory(self):
        m = shared_memory.SharedMemory(create=True, size=4096)
        m.buf[0] = 7; m.close(); m.unlink()
    def test_threads(self):
        done = []
        ts = [threading.Thread(target=done.append, args=(i,)) for i in range(64)]
        [t.start() for t in ts]; [t.join() for t in ts]
        self.assertEqual(len(done), 64)
    def test_semaphore(self):
        multiprocessing.Lock().acquire()
    def test_subprocess_and_signal(self):
        p = subprocess.Popen(["sleep", "60"])
        p.send_signal(signal.SIGTERM)
        self.assertEqual(p.wait(), -signal.SIGTERM)
        self.assertEqual(subprocess.run("exit 3", shell=True).returncode, 3)
    def test_places(self):
        for d in (tempfile.gettempdir(), os.path.expanduser("~"), "."):
            with tempfile.NamedTemporaryFile(dir=d) as f:
                f.write(b"x")
    def test_unix_socket(self):
        p = tempfile.mktemp()
        s = socket.socket(socket.AF_UNIX); s.bind(p); s.listen()
        c = socket.socket(socket.AF_UNIX); c.connect(p); c.close(); s.close()
    def test_terminal(self):
        import pty
        a, b = pty.openpty()
        os.write(b, b"x"); os.read(a, 1); os.close(a); os.close(b)
    def test_resolver(self):
        self.assertEqual(socket.gethostbyname("localhost"), "127.0.0.1")
`},
		line: "python3 -m unittest -v", want: "Ran 9 tests",
	},
	{
		name: "node", needs: "node",
		files: map[string]string{"m.test.mjs": `import { test } from 'node:test';
import { createServer } from 'node:http';
import { Worker } from 'node:worker_threads';
import { execFileSync } from 'node:child_process';
test('server', (t, done) => {
  const s = createServer((q, r) => r.end('hi')).listen(0, '127.0.0.1', async () => {
    const r = await fetch('http://127.0.0.1:' + s.address().port);
    if (await r.text() !== 'hi') throw new Error('text');
    s.close(); done();
  });
});
test('worker', (t, done) => { new Worker('', { eval: true }).on('exit', () => done()); });
test('child', () => { execFileSync('sh', ['-c', 'true']); });
`},
		line: "node --test m.test.mjs", want: "# pass 3",
	},
	{
		name: "make and gcc", needs: "gcc",
		files: map[string]string{
			"Makefile": "test: m\n\t./m\nm: m.c\n\tgcc -pthread -o $@ $<\n",
			"m.c":      "#include <pthread.h>\n#include <stdio.h>\nstatic void *f(void *p) { return p; }\nint main(void) { pthread_t t; if (pthread_create(&t, 0, f, 0) || pthread_join(t, 0)) return 1; puts(\"joined\"); return 0; }\n",
		},
		line: "make test", want: "joined",
	},
	{
		name: "shell and git", needs: "git",
		files: map[string]string{"test.sh": `set -eu
git init -q r && cd r
git config user.email a@b.c && git config user.name n
echo x > f && git add f && git commit -q -m one
git clone -q . ../clone && cd ../clone && git log --oneline | grep -c one
mkfifo p; (echo through > p &); cat p
trap 'echo trapped' USR1; kill -USR1 $$
( sleep 60 & kill $!; wait $! ) || true
ps >/dev/null 2>&1 || true
cat /proc/self/status > /dev/null; test -r /etc/passwd; test -w /dev/null; test -w /dev/shm
`},
		line: "sh test.sh", want: "trapped",
	},
	{
		name: "cargo", needs: "cargo", slow: true,
		files: map[string]string{
			"Cargo.toml": "[package]\nname = \"m\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
			"src/lib.rs": "#[test]\nfn works() { assert_eq!(1 + 1, 2); }\n",
		},
		line: "cargo test --offline", want: "test works ... ok",
	},
}

// TestSuite runs them in native boxes without any special flag, with the
// toolchains of whoever runs this test.
func TestSuite(t *testing.T) {
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skip(err)
	}
	box := nativeBox(t, NativeOptions{Environ: os.Environ(), Home: home})
	for _, s := range suites {
		t.Run(s.name, func(t *testing.T) {
			if _, err := exec.LookPath(s.needs); err != nil {
				t.Skipf("no %s", s.needs)
			}
			if s.slow && (testing.Short() || os.Getenv(userVariable) != "") {
				t.Skip("slow")
			}
			t.Parallel()
			job := nativeJob(t, s.line)
			room := job.Mounts[0].Source
			for name, text := range s.files {
				path := filepath.Join(room, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if _, ok := s.files["go.mod"]; ok {
				sums, err := os.ReadFile(filepath.Join("..", "go.sum"))
				if err != nil {
					t.Skip(err)
				}
				if err := os.WriteFile(filepath.Join(room, "go.sum"), sums, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			job.Limits.Memory = 0
			job.Env = Environ(RoleVerify, os.Environ(), append(ToolchainEnv(os.Environ(), home), "HOME="+nativeHome, "TMPDIR="+nativeTmp))
			r, log := runJob(t, box, job)
			if r.Class != ClassPass || !strings.Contains(log, s.want) {
				t.Errorf("%+v\n%s", r, log)
			}
		})
	}
}
