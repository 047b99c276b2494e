package picture

import (
	"fmt"
	"strconv"
	"strings"

	"bandscope/functions"
	"bandscope/optimizers"
	"bandscope/sessions"
)

// facts are the quantities that a fit reports, by their names: the description of each, with its value and the name of
// the objective, and its term.
var facts = map[string]struct{ says, term string }{
	optimizers.FactLengthscale: {"The distance along a variable over which the function stays similar, as the model estimates it: %[1]s. The shorter it is, the faster the band widens away from a result.",
		"characteristic lengthscale"},
	"signal sd": {"How much the function varies around its mean, as a standard deviation of %[2]s: %[1]s. Far from all results the band is about twice that on either side of the mean.",
		"amplitude"},
	"period": {"The distance along a variable after which functions repeat, as the model estimates it: %[1]s.",
		"periodic kernel"},
	"relative lengthscale": {"How smooth functions are within a period: %[1]s. Above 1 they are nearly sine waves; the shorter it is, the more they bend.",
		"periodic kernel"},
	"α": {"The shape of the rational quadratic kernel: %[1]s. The smaller it is, the more functions mix short and long lengthscales.",
		"rational quadratic kernel"},
	"bias": {"The standard deviation of linear functions in the center of the domain, relative to their change from there to its edge: %[1]s.",
		"linear kernel"},
	"noise sd": {"The noise of a result that the model assumes, as a standard deviation of %[2]s: %[1]s. The mean may miss a result by about that much.",
		"observation noise"},
	"block sd": {"How much the results of plates or days are shifted together, as a standard deviation of %[2]s: %[1]s. The mean and the band are without these shifts.",
		"block"},
	"log evidence": {"The logarithm of the probability of the results under the model: %[1]s. Use it to compare two models on the same data: the higher one explains them better.",
		"evidence"},
	optimizers.FactOutcomes: {"The scale of %[2]s on which the model is fitted: %[1]s. It is the logarithm of the distance to the best result; the gain is that of the log evidence. Quantiles of the band are mapped back, and the standard deviations of the list are relative to that of the results on that scale.",
		"evidence"},
	optimizers.FactInducing: {"The number of points through which the model is approximated: %[1]s. Exact inference would take too long with so many results.",
		"inducing point"},
	"posterior draws": {"The number of draws of the hyperparameters from their posterior over which the model averages: %[1]s. Ranges in brackets, and bars, contain 90 %% of the draws.",
		"posterior"},
	"choice correlation": {"The correlation between the values of a choice, from 0 to 1, as the model estimates it: %[1]s. Near 1, a result for one value also says much about the others.",
		"covariance function"},
	"p parameters": {"The number of weights and biases of the network: %[1]s. With more parameters than results it can fit all of them; between them it follows what its training prefers.",
		"hidden units"},
	"γ by evidence": {"The scale of the initial weights at which the data are most probable under the NTK: %[1]s. A larger scale lets the network bend more.",
		"γ"},
	"γ": {"The scale of the initial weights: %[1]s. A larger scale lets functions bend more between results.",
		"γ"},
	"iterations": {"The number of training steps of the network that picks the next point: %[1]s.", "Gauss–Newton"},
	"training RMSE": {"The root mean square error of the trained function at the results, in the unit of %[2]s: %[1]s. If it is small compared with the spread of the results, the function fits them.",
		"observation noise"},
	"y* by": {"How the method draws the unknown best value y*, about which it wants information: %[1]s.",
		"MES"},
	"y* drawn": {"Best values y* drawn from the model: %[1]s. The method prefers evaluations that give information about y*.",
		"MES"},
	"full fidelity": {"The fidelity of a full evaluation: %[1]s. Lower fidelities cost less and are approximations of it.",
		"fidelity"},
	"equal results": {"How many results have the same value: %[1]s. A measurement that saturates, or a constant function, looks like this.",
		"observation"},
	"repeats differ": {"Results at the same point that differ, although the results count as exact: %[1]s. Let the model fit the noise, or correct a wrong result.",
		"observation noise"},
	"failures": {"Evaluations that failed: %[1]s. The method learns where evaluations fail and avoids that region.",
		"feasible"},
	optimizers.FactBand: {"Whether the width of the band is calibrated: %[1]s. A band that is not calibrated may cover less of the function than its level.",
		"conformal prediction"},
	optimizers.FactSubstitute: {"The method whose band is drawn, because the program does not predict or is not started: %[1]s. The program does not choose by this band.",
		"posterior"},
	"trust region length": {"The size of the box around the best result in which the method searches, as a side of a cube of the same volume: %[1]s, where 1 is the range of a variable. It doubles after successes and halves after failures.",
		"trust region"},
	"successes": {"Successes in a row, which are results better than the best of the trust region before, and the number after which its length doubles: %[1]s.",
		"trust region"},
	"failures in a row": {"Results in a row that are not better than the best of the trust region, and the number after which its length halves: %[1]s.",
		"trust region"},
	"region design": {"The results of the initial design of the trust region: %[1]s. The method searches there when it is complete.",
		"trust region"},
	"region restarts": {"How often a trust region became too small and began at new points, with a new model: %[1]s.",
		"trust region"},
	"shortest lengthscales": {"The variables with the shortest lengthscales, as shares of their ranges: %[1]s. The function depends most on them.",
		"sparse prior"},
	"program": {"The program that suggests the points, as it calls itself: %[1]s.", "acquisition function"},
	optimizers.FactKernel: {"The covariance of the values of the function at two points: %[1]s. It says how smooth the functions are that the model takes as possible.",
		"covariance function"},
	optimizers.FactAcquisition: {"The acquisition function, by which the method chooses the next point: %[1]s.", "acquisition function"},
	"cost of next point":       {"The cost of the next evaluation: %[1]s.", "cost"},
}

// DescribeFact describes a quantity that a fit reports, and returns the term of the glossary for it; empty for a
// quantity without a description.
func DescribeFact(f optimizers.Fact, st sessions.State) (sentence, term string) {
	name := st.Problem.Objectives[0].Name
	value := strings.Join(strings.Fields(f.Value), " ")
	switch {
	case f.Name == optimizers.FactWeights || strings.HasPrefix(f.Name, "λ of "):
		return fmt.Sprintf("The weights of the objectives for which the next point is the best, drawn from the prior: %s. Each step draws other weights, so that the results cover the front.",
			strings.Join(strings.Fields(value), ", ")), "weights"
	case f.Estimates != nil:
		value = estimates(f, st.Problem.Domain)
	case strings.HasPrefix(f.Value, "met by "):
		return fmt.Sprintf("The limit %s is %s results. The model learns from all of them where it is met.", f.Name,
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
	quantity, part, ok := strings.Cut(strings.TrimSuffix(f.Name, ")"), " (") // a part of a kernel
	if w, known := facts[quantity]; ok && known {
		return fmt.Sprintf("Of the kernel %[4]s. "+w.says+"%[3]s", value, name, "", part), w.term
	}
	return "", ""
}

// estimates writes the hyperparameter of each variable with its interval, and a length with its share of the range.
func estimates(f optimizers.Fact, domain functions.Domain) string {
	texts := make([]string, len(f.Estimates))
	for i, e := range f.Estimates {
		if e.Variable == 0 {
			texts[i] = e.String()
			continue
		}
		v := domain[e.Variable-1]
		var aside []string
		if e.Interval != "" {
			aside = append(aside, e.Interval)
		}
		if length, err := strconv.ParseFloat(e.Text, 64); err == nil && v.Scale != functions.Log {
			aside = append(aside, fmt.Sprintf("%.0f %% of its range", 100*length/v.Width()))
		}
		texts[i] = v.Name + " " + e.Text
		if aside != nil {
			texts[i] += " (" + strings.Join(aside, "; ") + ")"
		}
	}
	return strings.Join(texts, ", ")
}
