package lesson

// Example is a script to begin with: it can be performed as it stands.
const Example = `> lesson forrester gp-ei 3 initial=3 kernel=se
# Where to look next
A Gaussian process weighs what it expects against what it does not know.
> part my own
> hide parameters regret
> begin
# Before any data
The band holds what the function may be: it is as wide everywhere, as nothing is known yet.

` + "`space`" + ` turns the page.
> step 3
> page
# The band at the data
It is narrow at the three points. What stands between two acts is a page; lines behind its text say more of it: what is claimed here is measured by ` + "`bandscope lesson check`" + `.
> claim points = 3
> claim pinch < 1
> page
# What would you expect?
A question comes before what answers it, and can be answered by what is seen. The diamond is the next point: what will the band do there?
> claim next = 1
> ask it meets the new value* | it grows wider | it stays as it is
> step 1
# It met it
One more point is known, and the band went with it.
> claim points = 4
> claim pinch < 1
> page
# Where would you look?
Without choices the reader puts a point on the plot.
> claim next = 0
> ask
> step 2
# The end
From here on it is your own session.
> claim points = 6
> exercise forrester gp-ei 5 initial=3
Find a value below −6: step, edit a parameter, or query a point of your own.
> goal best < -6
> solve step 12
`
