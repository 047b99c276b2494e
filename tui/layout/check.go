package layout

import "fmt"

// Faults are the errors in the places of the boxes of a frame: a box that reaches beyond its parent, and
// siblings that lie over each other though none of them does so on purpose. Text never reaches beyond its box: it is
// shortened between words.
func (f *Frame) Faults() (faults []string) {
	for i, p := range f.Boxes {
		if p.Cells == nil && p.Area != p.Clip {
			faults = append(faults, fmt.Sprintf("%q at %v reaches beyond %v", f.Path(p), p.Area, p.Clip))
		}
		for j := i + 1; j < len(f.Boxes); j++ {
			q := f.Boxes[j]
			if q.parent != p.parent || p.parent < 0 || p.Overlaps || q.Overlaps || p.Cells != nil || q.Cells != nil ||
				drawsOver(f.Boxes[p.parent].Box, p.Box, q.Box) {
				continue
			}
			if both := p.Area.Intersect(q.Area); !both.Empty() {
				faults = append(faults, fmt.Sprintf("%q and %q share %v", f.Path(p), f.Path(q), both))
			}
		}
	}
	return faults
}

// drawsOver reports whether two boxes describe parts of what their parent draws itself, such as the axes of a chart.
func drawsOver(parent, a, b *Box) bool {
	return parent.Draw != nil && a.Draw == nil && b.Draw == nil
}
