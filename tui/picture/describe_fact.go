package picture

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bandscope/functions"
	"bandscope/optimizers"
	"bandscope/sessions"
)

// facts are what a fit finds, by the names that it has for them: how each is told, with its value and the name of the
// objective, and its term.
var facts = map[string]struct{ says, term string }{
	optimizers.FactLengthscale: {"How far one has to go along a variable until values tell little of each other, to " +
		"what the model believes: %[1]s. The shorter, the sooner the band opens beside a result.",
		"characteristic lengthscale"},
	"signal sd": {"How much the function is believed to vary around its mean, in standard deviations " +
		"of %[2]s: %[1]s. Far from all results the band is about twice as wide on either side.", "amplitude"},
	"noise sd": {"How much of a result the model takes for noise, in standard deviations of %[2]s: " +
		"%[1]s. By so little the mean may pass beside a result.", "observation noise"},
	"log evidence": {"How probable the results are under the model, as a logarithm: %[1]s. Alone it says " +
		"little; of two models on the same data the one with more explains them better.", "evidence"},
	"choice correlation": {"How alike the values of a choice are believed to be, as a correlation from 0 to 1: " +
		"%[1]s. Near 1 what is learned of one holds for the others.", "covariance function"},
	"p parameters": {"How many weights and biases the network has, %[1]s. With more of them than results " +
		"it can fit all of these, and what it does between them is what its training prefers.", "hidden units"},
	"γ by evidence": {"The scale of the initial weights at which the data are most probable under the " +
		"NTK: %[1]s. A greater one lets the network bend more.", "γ"},
	"γ": {"The scale of the initial weights, %[1]s: a greater one lets functions bend more " +
		"between results.", "γ"},
	"iterations": {"After how many steps the training of the network that chooses had come to its end: " +
		"%[1]s.", "Gauss–Newton"},
	"training RMSE": {"How far the trained function passes from the results, as the root of the mean of " +
		"squares, in the unit of %[2]s: %[1]s. Little beside the spread of the results means that it fits them.",
		"observation noise"},
	"y* by": {"How the best value that there may be is drawn, of which the method wants to learn: " +
		"%[1]s.", "MES"},
	"y* drawn": {"The best value that there may be, as drawn from the belief: %[1]s. An evaluation " +
		"is worth what it tells of it.", "MES"},
	"full fidelity": {"What counts as an evaluation of what is really sought: %[1]s. Others cost less, " +
		"and tell of it by their likeness.", "fidelity"},
	"failures": {"Evaluations that failed: %[1]s. The method learns where they fail, and keeps away " +
		"from there.", "feasible"},
	"cost of the next": {"What the next evaluation costs: %[1]s.", "cost"},
}

// DescribeFact tells something that a fit found, and the term of the glossary for it; empty for what nobody has words
// for.
func DescribeFact(f optimizers.Fact, st sessions.State) (sentence, term string) {
	name := st.Problem.Objectives[0].Name
	value := strings.Join(strings.Fields(f.Value), " ")
	switch {
	case f.Name == optimizers.FactWeights || strings.HasPrefix(f.Name, "λ of "):
		return fmt.Sprintf("The weights of the objectives under which the next point is the best, drawn from the "+
			"prior: %s. The next step draws others, and so the front is filled.", value), "weights"
	case f.Name == optimizers.FactLengthscale:
		value = lengthscales(value, st.Problem.Domain)
	case strings.HasPrefix(f.Value, "met by "):
		return fmt.Sprintf("A limit, %s: it is %s results. The model learns from all of them where it is met.", f.Name,
			value), "limit"
	}
	for _, o := range st.Problem.Objectives {
		if k, ok := strings.CutSuffix(f.Name, " of "+o.Name); ok {
			f.Name, name = k, o.Name
		}
	}
	if w, ok := facts[f.Name]; ok {
		return fmt.Sprintf(w.says+"%[3]s", value, name, ""), w.term
	}
	return "", ""
}

// lengthscales tells lengthscales by their variables, with the share of the range that they are, as far as all are
// there.
func lengthscales(value string, domain functions.Domain) string {
	domain = slices.DeleteFunc(slices.Clone(domain), func(v functions.Variable) bool {
		return v.Kind == functions.Choice
	})
	words := strings.Fields(value)
	if len(words) != len(domain) {
		return value
	}
	for i, v := range domain {
		length, err := strconv.ParseFloat(words[i], 64)
		if words[i] = v.Name + " " + words[i]; err == nil && v.Scale != functions.Log {
			words[i] += fmt.Sprintf(" (%.0f %% of its range)", 100*length/v.Width())
		}
	}
	return strings.Join(words, ", ")
}
