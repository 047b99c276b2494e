package class

import "strings"

// glyphs are the letters and digits of join codes, three columns wide and five rows high: a row is an octal digit, whose
// bits are the columns from the left.
var glyphs = map[rune]string{'a': "25755", 'b': "65656", 'c': "34443", 'd': "65556", 'e': "74647", 'f': "74644",
	'g': "34553", 'h': "55755", 'i': "72227", 'j': "11152", 'k': "55655", 'l': "44447", 'm': "57755", 'n': "65555",
	'o': "25552", 'p': "65644", 'q': "25563", 'r': "65655", 's': "34216", 't': "72222", 'u': "55557", 'v': "55552",
	'w': "55775", 'x': "55255", 'y': "55222", 'z': "71247", '0': "75557", '1': "26227", '2': "61247", '3': "61216",
	'4': "55711", '5': "74616", '6': "34757", '7': "71122", '8': "75757", '9': "75716", '-': "00700"}

// bigText is a text in letters that are three rows high, or five where only ASCII can be drawn; other characters are
// blank.
func bigText(text string, ascii bool) []string {
	lit := func(c rune, x, y int) bool {
		g := glyphs[c]
		return y < len(g) && (g[y]-'0')&(4>>x) != 0
	}
	step, rows := 2, 3
	if ascii {
		step, rows = 1, 5
	}
	lines := make([]string, rows)
	for row := range rows {
		var b strings.Builder
		for _, c := range strings.ToLower(text) {
			for x := range 3 {
				upper, lower := lit(c, x, row*step), !ascii && lit(c, x, row*step+1)
				switch {
				case ascii && upper:
					b.WriteByte('#')
				case upper && lower:
					b.WriteRune('█')
				case upper:
					b.WriteRune('▀')
				case lower:
					b.WriteRune('▄')
				default:
					b.WriteByte(' ')
				}
			}
			b.WriteByte(' ')
		}
		lines[row] = strings.TrimRight(b.String(), " ")
	}
	return lines
}
