package glossary

import "strings"

// signs are pairs: a character beyond ASCII that terms use, and its form in ASCII.
const signs = `α alpha β beta γ gamma δ delta ε eps η eta θ theta Θ Theta κ kappa λ lambda μ mu ν nu ξ xi ρ rho σ sigma
τ tau Σ sum φ phi Φ Phi Π prod π pi ℓ l ∇ grad ₀ _0 ₁ _1 ₂ _2 ₙ _n ₋ᵢ _-i ᵢ _i ₋ _- ⁻¹ ^-1 ⁻² ^-2 ² ^2 ᵀ ^T ½ 1/2
√ sqrt ∪ union ŷ yhat F̃ F_relaxed ⟨ < ⟩ > ‖ || − - – - — - · * … ... ± +- § sec. ≤ <= ≥ >= ≠ != ≺ < é e á a à a ü u
ö o š s`

var plain = strings.NewReplacer(strings.Fields(signs)...)

// apart adds a blank after signs whose ASCII form is a word.
var apart = strings.NewReplacer("√", "√ ", "§", "§ ")

// Plain returns a text in ASCII, with the names of Greek letters.
func Plain(text string) string {
	return plain.Replace(apart.Replace(text))
}
