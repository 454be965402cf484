// Package isolation runs commands in boxes and says what a box can prove.
package isolation
