package theme

import "strings"

// Glyph is a mark that keeps its meaning in every style.
type Glyph int

// The marks.
const (
	GlyphFilled  Glyph = iota // a data point
	GlyphHollow               // a point beside the slice
	GlyphTarget               // the newest point
	GlyphStar                 // the best point
	GlyphDiamond              // the next point
	GlyphCross                // a failed point
	GlyphTriangle
	GlyphSquare
	GlyphDot     // a small data point
	GlyphPlus    // a point of a front, from one side
	GlyphDown    // the weights in use
	GlyphOutlier // a point that the model does not understand
	GlyphBeyond  // a point beyond a limit
	GlyphLeft    // a point beyond the left edge
	GlyphRight   // a point beyond the right edge
	GlyphDesign  // the next point, of the initial design
)

var (
	unicodeGlyphs = [...]rune{'●', '○', '◉', '★', '◆', '×', '▲', '■', '·', '+', '▼', '?', '▽', '◂', '▸', '◇'}
	asciiGlyphs   = [...]rune{'O', 'o', '@', '*', 'V', 'x', '^', 'P', ',', '+', 'v', '?', '%', '<', '>', 'D'}
)

// Rune is the character of a mark.
func (s Style) Rune(g Glyph) rune {
	if s.ASCII {
		return asciiGlyphs[g]
	}
	return unicodeGlyphs[g]
}

// Glyph is Rune as a string.
func (s Style) Glyph(g Glyph) string { return string(s.Rune(g)) }

// Line is how a curve is drawn.
type Line int

// The kinds of line.
const (
	Solid Line = iota
	Dashed
	Dotted
	Fine    // one of many: solid where its colour tells it apart, sparse where there is no colour
	Marked  // the truth: dotted, and where there is no colour made of signs
	Chained // a dash and a dot in turn
	Heavy   // solid, of double width
)

// asciiLines are the characters of the kinds of line where there is no braille; none of them is a mark, a frame or a
// texture beside it.
var asciiLines = [...]rune{'=', '-', '"', '~', '+', ',', '&'}

// LineRune is the character of a line in ASCII.
func LineRune(l Line) rune { return asciiLines[l] }

// Dot separates the parts of a line, Pointer marks the selected one.
func (s Style) Dot() string { return s.Plain("·") }

// Pointer marks the selected entry of a list.
func (s Style) Pointer() string { return s.Plain("▸") }

// plain replaces characters that an ASCII terminal does not have.
var plain = strings.NewReplacer(append(greek,
	"·", "-", "…", "...", "×", "x", "÷", "/", "±", "+-", "²", "2", "³", "3", "√", "sqrt ", "–", "-", "—", "-", "−",
	"-", "→", "->", "▸", ">",
	"°", "deg", "µ", "u", "●", "O", "○", "o", "◉", "@", "★", "*", "◆", "V", "◇", "D", "≤", "<=", "≥", ">=", "’", "'", "é", "e",
	"š", "s", "ö", "o", "ó", "o", "ü", "u", "É", "E",
	"∞", "inf", "ℓ", "l", "₁", "1", "₂", "2", "₃", "3", "½", "1/2", "‖", "|", "§", "sec. ", "“", "\"", "”", "\"", "∈",
	"in", "∇", "grad ", "\u0303", "~", "\u0304", "", "ₑ", "e", "━", "=", "┄", "-", "─", "-", "│", "|", "└", "`", "├",
	"|", "₀", "0", "⁻¹", "^-1", "ᵀ", "^T", "Φ", "Phi", "✓", "+", "✗", "x",
	"¶", "n", "┬", "Y", "•", "*", "∂", "d", "⟨", "<", "⟩", ">", "⁶", "^6",
	"ᵢ", "_i", "ⱼ", "_j", "ₖ", "_k", "ₚ", "_p", "₋", "_-", "⁻", "^-", "¹", "1", "⁵", "^5", "¼", "1/4", "′", "'", "∪", "U",
	"⋃", "U", "≠", "!=", "≺", "<", "ŷ", "y^", "▲", "^", "▼", "v", "■", "P", "▽", "%", "◂", "<",
)...)

// greek are the letters with their names.
var greek = strings.Fields("α alpha β beta γ gamma δ delta ε eps η eta θ theta κ kappa λ lambda μ mu ν nu ξ xi ρ rho π pi σ sigma τ tau φ phi χ chi Δ Delta Θ Theta Π Pi Σ Sigma")

// Plain makes a text fit the style: in ASCII every other character is replaced by the nearest, or by a question mark.
func (s Style) Plain(text string) string {
	if !s.ASCII {
		return text
	}
	text = plain.Replace(text)
	return strings.Map(func(r rune) rune {
		if r >= 0x80 {
			return '?'
		}
		return r
	}, text)
}
