package lesson

import (
	"crypto/sha256"
	"encoding/hex"
)

// Digest returns the digest of a script. A lesson keeps it, to show whether the script has changed since.
func Digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}
