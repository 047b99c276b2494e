package sanitize

import "regexp"

// mask replaces a secret.
const mask = "***"

// Patterns of secrets: a URL with a password, which may contain any character by mistake; a name and a password before
// a host; and values of keys such as password=, also in a query or as JSON.
var (
	secretURL   = regexp.MustCompile(`(\w:/+[^\s:/@]*):.*@`)
	secretPort  = regexp.MustCompile(`(\w:/+[^\s:/@]+):[0-9]*[^\s/@0-9][^\s/@]*`) // at the position of a port
	secretUser  = regexp.MustCompile(`([\w.%+~-]*):([^\s/]|/[^\s/])\S*@`)
	secretValue = regexp.MustCompile(
		`(?i)(\w*(?:pass(?:word|wd|phrase)?|pwd|secret|token|api_?key)["']?\s*=\s*)('(?:[^'\\]|\\.)*'?|"(?:[^"\\]|\\.)*"?|[^\s&'"]+)`)
	secretJSON = regexp.MustCompile(
		`(?i)("\w*(?:pass(?:word|wd|phrase)?|pwd|secret|token|api_?key)"\s*:\s*)"(?:[^"\\]|\\.)*"?`)
)

// Redact replaces everything in a text that looks like a password by ***: in the URL of a database, or as the value of
// a key. Errors of other libraries, and misplaced input, may contain one.
func Redact(text string) string {
	text = secretURL.ReplaceAllString(text, "$1:"+mask+"@")
	text = secretPort.ReplaceAllString(text, "$1:"+mask)
	text = secretUser.ReplaceAllString(text, "$1:"+mask+"@")
	text = secretJSON.ReplaceAllString(text, `$1"`+mask+`"`)
	return secretValue.ReplaceAllString(text, "${1}"+mask)
}
