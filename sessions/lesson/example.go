package lesson

// Example is a complete script to start from.
const Example = `> lesson forrester gp-ei 3 initial=3 kernel=se
# Where to look next
A Gaussian process weighs the mean against the uncertainty.
> part my own
> hide parameters regret
> begin
# Before any data
The band contains the plausible values of the function. Without data it is equally wide everywhere.

` + "`space`" + ` turns the page.
> step 3
> page
# The band at the data
It is narrow at the three points. The text between two acts is a page. Lines below the text describe the page: ` + "`bandscope lesson check`" + ` measures its claims.
> claim points = 3
> claim band-at-data < 1
> page
# What would you expect?
A question comes before its answer. The reader can answer it from the picture. The diamond is the next point. What does the band do there?
> claim next = 1
> ask it meets the new value* | it grows wider | it stays as it is
> reason 2 A result reduces the uncertainty where it was measured.
> reason 3 The model learns from each result.
> step 1
# It meets the value
One more point is known, and the band passes through it.
> claim points = 4
> claim band-at-data < 1
> page
# Where would you look?
Without choices, the reader marks a point on the plot.
> claim next = 0
> ask
> step 2
# The end
From here the session is yours.
> claim points = 6
> exercise forrester gp-ei 5 initial=3
Find a value below −6. Take steps, edit a parameter, or evaluate your own point.
> goal best < -6
> solve step 12
`
