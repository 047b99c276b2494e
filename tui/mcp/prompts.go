package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A prompt is a text with places for its arguments.
type prompt struct {
	name, title, about string
	arguments          []*mcp.PromptArgument
	text               func(arguments map[string]string) string
}

// sessionArgument is the session that a prompt is about.
var sessionArgument = &mcp.PromptArgument{Name: "session", Title: "Session", Required: true,
	Description: "the file of the session, as in s.jsonl"}

// prompts are all prompts.
var prompts = []prompt{
	{"set-up-an-experiment", "Set up an experiment", "ask for all that an experiment declares, and begin its session",
		[]*mcp.PromptArgument{{Name: "about", Title: "About", Description: "what should be optimized, in a few words"},
			{Name: "session", Title: "Session", Description: "the file of the new session"}},
		func(a map[string]string) string {
			text := "Help me to set up an experiment"
			if a["about"] != "" {
				text += " about: " + a["about"]
			}
			return text + ".\n\nRead guide://own-experiment. Ask me, one after the other, for:\n" +
				"1. the variables: name, lowest and highest value, unit; which are whole numbers or choices\n" +
				"2. the objectives: name, unit, minimize or maximize, and the range that I expect\n" +
				"3. limits on measured quantities, and settings that cannot be run\n" +
				"4. how many experiments I can afford, and the noise of a measurement, if I know it\n\n" +
				"Then write the declaration as TOML and show it to me. When I agree, call create" + named(a) +
				" with it, and ask for the first point. Do not invent values that I have not given."
		}},
	{"explain-the-next-point", "Explain the next point", "explain in plain words why the next point was chosen",
		[]*mcp.PromptArgument{sessionArgument}, func(a map[string]string) string {
			return "Explain to somebody who runs the experiment why the next point of the session " + a["session"] +
				" was chosen.\n\nCall why with influence, and check. Say in plain words: where the next point is; whether it explores or improves; which results it depends on; what the runners-up are; and whether the model can be believed. Use the units of the problem, and name the gaps in our knowledge. glossary://TERM defines terms."
		}},
	{"review-the-campaign", "Review the campaign", "say how far a session is, what we know by now, and what to do next",
		[]*mcp.PromptArgument{sessionArgument}, func(a map[string]string) string {
			return "Review the session " + a["session"] + ".\n\nCall status, check and history, and best or front. Report: the findings so far, with intervals; the authors of the records; results that look wrong, and how to correct them; whether the model can be believed; and whether to continue, to steer, to change a parameter or to stop. Change nothing without my consent."
		}},
}

// named is the name of the new session in a sentence.
func named(a map[string]string) string {
	if a["session"] == "" {
		return ""
	}
	return " for the session " + a["session"]
}

// maxArgument bounds an argument of a prompt in bytes.
const maxArgument = 10_000

// addPrompts adds all prompts.
func (s *server) addPrompts() {
	for _, p := range prompts {
		s.mcp.AddPrompt(&mcp.Prompt{Name: p.name, Title: p.title, Description: p.about, Arguments: p.arguments},
			func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				for _, a := range p.arguments {
					if v := r.Params.Arguments[a.Name]; len(v) > maxArgument || a.Required && strings.TrimSpace(v) == "" {
						return nil, wrongRequest(fmt.Errorf("%s needs %s, with at most %d bytes", p.name, a.Name, maxArgument))
					}
				}
				return &mcp.GetPromptResult{Description: p.about, Messages: []*mcp.PromptMessage{{Role: "user",
					Content: &mcp.TextContent{Text: p.text(r.Params.Arguments)}}}}, nil
			})
	}
}
