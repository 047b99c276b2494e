package synthetic

import "math"

// Material is what a beam can be made of.
type Material struct {
	Name       string
	Weld, Bar  float64 // cost of a cubic inch of weld, including its labour, and of the bar
	Strength   float64 // psi
	Elasticity float64 // Young's modulus, psi
	Shear      float64 // shear modulus, psi
}

// Materials are those of the welded beam, in the order of its choices (Deb & Goyal 1996; the values as in Tran, Tran &
// Wang 2019, table 4).
var Materials = []Material{
	{"steel", 0.1047, 0.0481, 30e3, 30e6, 12e6},
	{"cast iron", 0.0489, 0.0224, 8e3, 14e6, 6e6},
	{"aluminium", 0.5235, 0.2405, 5e3, 10e6, 4e6},
	{"brass", 0.5584, 0.2566, 8e3, 16e6, 10e6},
}

// The load at the end of the beam (lb), its length beyond the weld and how far it may bend (in).
const (
	load     = 6000.0
	overhang = 14.0
	maxBend  = 0.25
)

// Beam is a bar welded to a wall by two of its sides or by all four, with a load at its end (Deb & Goyal 1996): the
// thickness h of the weld and its length l, the height t of the bar and its breadth b, in inches.
type Beam struct {
	FourSides  bool
	Material   Material
	H, L, T, B float64
}

// Cost is that of the weld and of the bar.
func (b Beam) Cost() float64 {
	seam := b.L
	if b.FourSides {
		seam += b.T
	}
	return (1+b.Material.Weld)*seam*b.H*b.H + b.Material.Bar*b.T*b.B*(overhang+b.L)
}

// Slack is the margin of each requirement, relative to it: the shear strength of the weld, which is 0.577 of the
// material's, the strength of the bar against bending, its breadth against that of the weld, the load under which it
// buckles, and its deflection. All must be at least 0.
func (b Beam) Slack() [5]float64 {
	m, depth := b.Material, b.T
	bending := 6 * load * overhang / (depth * depth * b.B)
	buckling := 4.013 * depth * b.B * b.B * b.B * math.Sqrt(m.Elasticity*m.Shear) / (6 * overhang * overhang) *
		(1 - depth/(4*overhang)*math.Sqrt(m.Elasticity/m.Shear))
	deflection := 4 * load * overhang * overhang * overhang / (m.Elasticity * depth * depth * depth * b.B)
	return [5]float64{
		1 - b.shear()/(0.577*m.Strength),
		1 - bending/m.Strength,
		b.B/b.H - 1,
		buckling/load - 1,
		1 - deflection/maxBend,
	}
}

// shear is the stress in the weld: that of the load itself and that of its torque, added as vectors at the far corner.
func (b Beam) shear() float64 {
	h := b.H
	l := b.L
	t := b.T
	along := math.Sqrt2 * h * l
	area, inertia := along, along*((h+t)*(h+t)/4+l*l/12)
	radius := math.Hypot(l, h+t) / 2
	if b.FourSides {
		across := math.Sqrt2 * h * t
		area += across
		inertia += across * ((h+l)*(h+l)/4 + t*t/12)
		radius = max(radius, math.Hypot(t, h+l)/2)
	}
	direct, torque := load/area, load*(overhang+l/2)*radius/inertia
	return math.Sqrt(direct*direct + torque*torque + direct*torque*l/radius)
}
