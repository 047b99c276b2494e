package lesson

import (
	"crypto/sha256"
	"encoding/hex"
)

// Digest is what the lesson of a script has of its text, by which one sees whether it is performed of what the script
// says now.
func Digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}
