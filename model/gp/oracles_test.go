package gp

import "bandscope/model/kernel"

// HasGradient reports whether Gradient may be called: whether the kernel's derivatives are known.
func (g *GP) HasGradient() bool { _, ok := g.kernel.(kernel.Stationary); return ok }
