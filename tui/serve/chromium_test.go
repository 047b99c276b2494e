package serve

import (
	"testing"

	"bandscope/tui/internal/browsertest"
)

// A person in a real browser joins, follows the teacher, answers a question where it is asked, changes the size of the
// window, reads what the class has answered, and comes back after the page was left.
func TestChromiumFollows(t *testing.T) {
	browser, c := browsertest.Start(t, false), begin(t, options(t))
	position := c.webAt(t)
	join, _ := c.Codes()
	ada := c.join(t, "ada", true, 120, 36)
	ada.wait("step 0/50")
	p := browser.Open(t, 1100, 700, true)
	p.Visit("http://" + position + "/#code=" + join + "&name=Bob")
	p.Shows("ada teaches")
	ada.press(" ")
	p.Shows("step 1/50")
	p.Picture("class-follow")

	ada.press(":ask where to evaluate next\r")
	p.Shows("Where would you evaluate next?")
	p.Press("ArrowRight", 39, "")
	p.Press("ArrowRight", 39, "")
	p.Press("Enter", 13, "\r")
	p.Shows("answered")
	ada.wait("1 of 1")
	p.Resize(800, 560)
	ada.press(":reveal the answers\r")
	p.Shows("1 answer of 1")
	ada.wait("1 answer of 1")
	p.Picture("class-answers")
	ada.press(escape)
	ada.wait("select a person")
	ada.press(":close the question\r")
	ada.wait("no question")
	p.Press("Escape", 27, "\x1b")
	p.Shows("ada teaches")

	p.Visit("http://" + position + "/") // the tab has the token
	p.Shows("ada teaches")
	for _, complaint := range browser.Complaints() {
		t.Errorf("the page complains: %s", complaint)
	}
}
