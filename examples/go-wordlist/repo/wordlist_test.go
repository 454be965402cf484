package wordlist

import "testing"

func TestFind(t *testing.T) {
	words := []string{"ash", "beech", "elm", "oak"}
	tests := []struct {
		name, word string
		index      int
		found      bool
	}{
		{"first", "ash", 0, true},
		{"middle", "elm", 2, true},
		{"last", "oak", 3, true},
		{"before the first", "alder", 0, false},
		{"between two", "birch", 2, false},
		{"after the last", "yew", 4, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			index, found := Find(words, tt.word)
			if index != tt.index || found != tt.found {
				t.Errorf("Find(%q) = %d, %v; want %d, %v", tt.word, index, found, tt.index, tt.found)
			}
		})
	}
}
