package main

import (
	"encoding/json"
	"io"
	"os"
)

// printJSON prints one document and a newline.
func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// readAll reads a descriptor that holds a flag's value.
func readAll(f *os.File) ([]byte, error) {
	return io.ReadAll(io.LimitReader(f, 1<<20))
}
