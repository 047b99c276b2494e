package functions

import "strings"

// SplitList splits a list as it is typed at a separator, but not inside of double quotes; a double quote inside of them
// is written twice. Quotes open at the beginning of an item or of a value behind =, and stay in the items.
func SplitList(text string, separator byte) (items []string) {
	from := 0
	blank := true // nothing but spaces since the beginning of the item or of the value
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' && blank:
			i += quotedLen(text[i:])
			blank = false
		case c == separator:
			items = append(items, text[from:i])
			from, blank = i+1, true
		default:
			blank = c == '=' || blank && c == ' '
		}
	}
	return append(items, text[from:])
}

// quotedLen is the length of a text in quotes up to its last quote; 0 if the quote is never closed.
func quotedLen(text string) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] != '"':
		case i+1 < len(text) && text[i+1] == '"':
			i++
		default:
			return i
		}
	}
	return 0
}

// Quote is a name as it is typed in a list: in double quotes if the list could not be read otherwise.
func Quote(name string) string {
	if !strings.Contains(name, ",") && !strings.HasPrefix(name, `"`) {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// Unquote is the text that Quote quoted, or any other text without spaces around it.
func Unquote(text string) string {
	text = strings.TrimSpace(text)
	if len(text) < 2 || text[0] != '"' || text[len(text)-1] != '"' {
		return text
	}
	return strings.ReplaceAll(text[1:len(text)-1], `""`, `"`)
}

// SplitPairs splits a list of name=value at its commas; an item without = belongs to the value before it, such as the
// end of solvent=1,4-dioxane.
func SplitPairs(text string) (pairs []string) {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	for _, item := range SplitList(text, ',') {
		if n := len(pairs); n > 0 && !strings.Contains(item, "=") {
			pairs[n-1] += "," + item
			continue
		}
		pairs = append(pairs, item)
	}
	return pairs
}

// plainInShell are the characters that no shell interprets.
const plainInShell = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-"

// ShellWord is a word as a POSIX shell reads it back: in single quotes if it has characters that a shell interprets.
func ShellWord(word string) string {
	if word != "" && strings.Trim(word, plainInShell) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
