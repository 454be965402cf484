// Package wordlist looks words up in a sorted list.
package wordlist

// Find returns the index of word in words, which must be sorted, and true. If
// word is not there, it returns the index at which it belongs and false.
func Find(words []string, word string) (int, bool) {
	low, high := 0, len(words)
	for low <= high {
		mid := low + (high-low)/2
		switch {
		case words[mid] == word:
			return mid, true
		case words[mid] < word:
			low = mid + 1
		default:
			high = mid - 1
		}
	}
	return low, false
}
