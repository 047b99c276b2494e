package gp

// HasGradient reports whether Gradient may be called: whether the kernel's derivatives are known.
func (g *GP) HasGradient() bool { _, ok := g.kernel.(sloped); return ok }
