package loop

import (
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"
)

// journalValue returns a copy of a payload that JSON can hold without loss
// and that readers can rely on: every string is valid UTF-8 and no slice is
// nil. The payload itself, which the engine goes on using, is left alone.
func journalValue(p Payload) any {
	v := reflect.New(reflect.TypeOf(p)).Elem()
	v.Set(reflect.ValueOf(p))
	makeWritable(v)
	return v.Interface()
}

func makeWritable(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		if s := v.String(); !utf8.ValidString(s) {
			v.SetString(escapeInvalid(s))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			makeWritable(v.Field(i))
		}
	case reflect.Slice:
		items := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(items, v)
		for i := range items.Len() {
			makeWritable(items.Index(i))
		}
		v.Set(items)
	}
}

// escapeInvalid writes each byte that is not part of valid UTF-8 as \xNN.
func escapeInvalid(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, s[i])
		} else {
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}
