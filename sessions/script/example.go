package script

// Example is a script to begin with: it can be performed as it stands.
const Example = `> lesson forrester gp-ei 3 initial=3 kernel=se
# Where to look next
A Gaussian process weighs what it expects against what it does not know.
> part my own
> hide parameters regret
> begin
# Three points
The band holds what the function may be: it is narrow at the data and wide between them.

` + "`space`" + ` turns the page.
> step 3
> page
# The band at the data
What stands between two acts is a page. Lines behind its text say more of it: what is claimed here is measured by ` + "`bandscope lesson check`" + `.
> claim points = 3
> claim pinch < 1
> page
# What would you expect?
A question comes before what answers it, and can be answered by what is seen: the next point is not marked here.
> claim points = 3
> ask a point where the band is wide or the mean is low* | the middle of the domain | the best point so far
> step 1
# It looked
One more point, and the band moved.
> claim points = 4
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
