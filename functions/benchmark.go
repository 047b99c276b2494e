package functions

import (
	"fmt"

	"bandscope/functions/bbob"
)

// bbobFamilies are the 24 functions of the black-box optimization bbobFamilies, as bbob-f8:5:i3.
var bbobFamilies = func() []Family {
	all := make([]Family, bbob.Count)
	for i := range all {
		number := i + 1
		all[i] = Family{Name: fmt.Sprintf("bbob-f%d", number), Title: fmt.Sprintf("BBOB %s", bbob.Title(number)),
			About:  bbob.About(number),
			Source: "Hansen et al. 2009, INRIA RR-6829, as evaluated by COCO", MinDim: bbob.MinDim,
			MaxDim: bbob.MaxDim, DefaultDim: bbob.MinDim, Instances: bbob.Instances,
			New: func(d int, instance uint64) Problem {
				f, err := bbob.New(number, d, max(1, int(instance)))
				if err != nil {
					panic("functions: " + err.Error()) // Find asks for what there is
				}
				return singleObjective(Box(d, -5, 5), at(f.Best, f.Optimum), f.Value)
			}}
	}
	return all
}()
