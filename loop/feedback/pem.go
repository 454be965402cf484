package feedback

import "bytes"

// pemGuard follows private keys in PEM form (RFC 7468) through a log. A key is
// many lines, and only some of them may end up in a tail or an assertion, where
// they no longer look like a key.
type pemGuard struct{ left int }

// pemLines bounds a key: a 16384-bit RSA key has about 200 lines.
const pemLines = 300

// secret tells whether a line is part of a private key.
func (p *pemGuard) secret(text []byte) bool {
	if p.left == 0 {
		// A key on one line is left to the Redactor.
		if len(text) < 27 || !bytes.Contains(text[len(text)-12:], []byte("-----")) ||
			!bytes.Contains(text, []byte("-----BEGIN ")) || !bytes.Contains(text, []byte("PRIVATE KEY")) ||
			bytes.Contains(text, []byte("-----END ")) {
			return false
		}
		p.left = pemLines
		return true
	}
	p.left--
	if bytes.Contains(text, []byte("-----END ")) {
		p.left = 0
		return true
	}
	word := text
	if i := bytes.LastIndexAny(text, " \t\"'"); i >= 0 { // log prefixes and headers
		word = text[i+1:]
	}
	for _, c := range word {
		if !isWord(c) && c != '+' && c != '/' && c != '=' && c != '-' && c != ',' && c != ':' && c != '\\' {
			p.left = 0
			return false
		}
	}
	return true
}
