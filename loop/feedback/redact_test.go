package feedback

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The tokens are put together here so that no scanner takes this file for a
// leak.
func TestRedactorKnownShapes(t *testing.T) {
	t.Parallel()
	r := NewRedactor(nil)
	body := strings.Repeat("aB3", 12)
	for name, secret := range map[string]string{
		"GitHub token":              "ghp_" + body,
		"GitHub app token":          "ghs_" + body,
		"GitHub fine-grained token": "github_pat_" + body + "_" + body,
		"API key":                   "sk-" + body,
		"project key":               "sk-proj-" + body,
		"AWS key":                   "AKIA" + "ABCDEFGHIJKLMNOP",
		"JWT":                       "eyJ" + body + ".eyJ" + body + "." + body,
		"JWT without its end":       "eyJ" + body + ".eyJ" + body,
		"key on one line":           "-----BEGIN RSA " + "PRIVATE KEY-----\\nMIIE" + body + "\\n-----END RSA " + "PRIVATE KEY-----",
		"key without its end":       "-----BEGIN " + "PRIVATE KEY-----\nMIIE" + body,
	} {
		got := r.Text("token=" + secret)
		if got != "token="+redacted {
			t.Errorf("%s: %q", name, got)
		}
	}
	for _, text := range []string{
		"ghp_short", "task-sk-3", "disk-" + body, "AKIA", "eyJhbGci", "-----BEGIN CERTIFICATE-----", "the sk- prefix", "asking",
	} {
		if got := r.Text(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestRedactorValues(t *testing.T) {
	t.Parallel()
	r := NewRedactor([]string{"hunter2!", "hunter2!long", "short", "", "first line\nsecond line", "a.b*c[d]e"})
	for in, want := range map[string]string{
		"pw hunter2! ok":          "pw [redacted] ok",
		"pw hunter2!long ok":      "pw [redacted] ok",
		"short stays":             "short stays",
		"x second line y":         "x [redacted] y",
		"first line\nsecond line": "[redacted]",
		"a.b*c[d]e":               "[redacted]",
		"aXbYc[d]e":               "aXbYc[d]e",
	} {
		if got := r.Text(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// TestSecretsNeverComeOut prints a secret everywhere a report takes text from,
// also across cuts.
func TestSecretsNeverComeOut(t *testing.T) {
	t.Parallel()
	secret := "s3cr3t-" + strings.Repeat("Q", 30)
	token := "ghp_" + strings.Repeat("Zx9", 14)
	opt := Options{Redact: NewRedactor([]string{secret})}
	rapid.Check(t, func(t *rapid.T) {
		pad := strings.Repeat("p", rapid.SampledFrom([]int{0, 900, 990, 1000, 1010, 2000, 2030, 4060, 4090, 8000}).Draw(t, "pad"))
		which := rapid.SampledFrom([]string{secret, token}).Draw(t, "secret")
		log := fmt.Sprintf("--- FAIL: Test%s (0.00s)\n    a_test.go:1: %s %s\nFAIL\nFAIL\tp\t0.1s\nError: %s%s\n    at x (/y.js:1:1)\n%s\n",
			which, pad, which, pad, which, strings.Repeat(pad+which+"\n", 5))
		rep := localize(t, log, opt)
		doc, err := encode(Build(Attempt{Phase: PhaseTests, Redact: opt.Redact, MaxBytes: 6000}, rep))
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range []string{which[:12], which[len(which)-8:]} {
			if strings.Contains(string(doc), part) {
				t.Fatalf("%q is in %s", part, doc)
			}
		}
	})
}

// TestPrivateKeyLines: of a key over many lines no line comes out, and the text
// after one that never ends does.
func TestPrivateKeyLines(t *testing.T) {
	t.Parallel()
	line := strings.Repeat("MIIEvQIBADANBgkq", 4)
	key := "-----BEGIN RSA " + "PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n" + strings.Repeat(line+"\n", 50) + "QUJD==\n"
	for name, log := range map[string]string{
		"whole":    key + "-----END RSA " + "PRIVATE KEY-----\nafter it (all)\n",
		"no end":   key + "after it (all)\n",
		"prefixed": strings.ReplaceAll(key, "\n", "\nE   ") + "-----END RSA " + "PRIVATE KEY-----\nafter it (all)\n",
	} {
		rep := localize(t, log, Options{})
		if strings.Contains(rep.OutputTail, "MIIE") || strings.Contains(rep.OutputTail, "QUJD") {
			t.Errorf("%s: %s", name, rep.OutputTail)
		}
		if !strings.HasSuffix(rep.OutputTail, "after it (all)\n") {
			t.Errorf("%s: the text after the key is lost: %s", name, rep.OutputTail)
		}
	}
}
