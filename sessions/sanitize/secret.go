package sanitize

import "regexp"

// mask stands for a secret.
const mask = "***"

// What holds a secret: a URL with a user's password, which may hold any character by mistake, a name and a password
// before a host, and values of keys such as password=, also in a query or as JSON.
var (
	secretURL   = regexp.MustCompile(`(\w:/+[^\s:/@]*):.*@`)
	secretPort  = regexp.MustCompile(`(\w:/+[^\s:/@]+):[0-9]*[^\s/@0-9][^\s/@]*`) // in the place of a port
	secretUser  = regexp.MustCompile(`([\w.%+~-]*):([^\s/]|/[^\s/])\S*@`)
	secretValue = regexp.MustCompile(
		`(?i)(\w*(?:pass(?:word|wd|phrase)?|pwd|secret|token|api_?key)["']?\s*=\s*)('(?:[^'\\]|\\.)*'?|"(?:[^"\\]|\\.)*"?|[^\s&'"]+)`)
	secretJSON = regexp.MustCompile(
		`(?i)("\w*(?:pass(?:word|wd|phrase)?|pwd|secret|token|api_?key)"\s*:\s*)"(?:[^"\\]|\\.)*"?`)
)

// Redact is a text in which *** stands for whatever looks like a password: in the URL of a database, or as the value
// of a key. Errors of other libraries, and what was typed in the wrong place, may hold one.
func Redact(text string) string {
	text = secretURL.ReplaceAllString(text, "$1:"+mask+"@")
	text = secretPort.ReplaceAllString(text, "$1:"+mask)
	text = secretUser.ReplaceAllString(text, "$1:"+mask+"@")
	text = secretJSON.ReplaceAllString(text, `$1"`+mask+`"`)
	return secretValue.ReplaceAllString(text, "${1}"+mask)
}
