package serve

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"

	"bandscope/sessions"
)

// The class is asked, answers, sees what it answered, and the teacher's session keeps the answers by pseudonym.
func TestAsk(t *testing.T) {
	c := begin(t, options(t))
	ada := c.join(t, "ada", true, 120, 36)
	ada.wait("step 0/50")
	ada.press(" ")
	ada.wait("step 1/50")
	bob, eve := c.join(t, "bob", false, 100, 30), c.join(t, "eve", false, 80, 24)
	wall := c.join(t, "wall", false, 120, 36, "watch")
	bob.wait("step 1/50")
	ada.press(":ask where to evaluate next\r")
	for _, k := range []*client{bob, eve} {
		k.wait("Where would you evaluate next?")
		k.press("\x1b[C\x1b[C\r")
		k.wait("answered")
	}
	ada.wait("2 of 2")
	ada.press(":reveal the answers\r")
	for _, k := range []*client{bob, eve, wall} {
		k.wait("2 answers of 2")
	}
	ada.wait("2 answers of 2")
	ada.press(escape)
	ada.wait("select a person")
	ada.press(":close the question\r")
	ada.wait("no question")
	ada.press("\x07") // ctrl+g
	ada.wait("space step")
	bob.press(escape)
	bob.wait("ada teaches")
	ada.press("q")
	ada.over()
	files, _ := filepath.Glob(filepath.Join(c.options.Dir, "people", "ada", "*.jsonl"))
	s, err := sessions.OpenReadOnly(t.Context(), files[0])
	require.NoError(t, err)
	defer s.Close()
	s.Last()
	note := s.State().LastNote().Text
	if !strings.Contains(note, "Where would you evaluate next?") || strings.Contains(note, "bob") {
		t.Errorf("the note is %q", note)
	}
}

// A race is run, people evaluate, and the board shows everybody and the methods.
func TestRace(t *testing.T) {
	c := begin(t, options(t))
	ada, bob := c.join(t, "ada", true, 120, 36), c.join(t, "bob", false, 120, 36)
	ada.wait("step 0/50")
	bob.wait("step 0/50")
	ada.press(":start a race\r")
	ada.wait("a test function, the number")
	ada.press("\x15forrester 3 random\r")
	bob.wait("3 of 3 evaluations")
	bob.press("\r")
	bob.wait("2 of 3 evaluations")
	ada.press(escape)
	ada.wait("select a person")
	ada.press(":end the race\r")
	bob.wait("Forrester: after your evaluations")
}

// Progress is exported for the teacher alone, by name.
func TestExport(t *testing.T) {
	c := begin(t, options(t))
	ada, bob := c.join(t, "ada", true, 120, 36), c.join(t, "bob", false, 100, 30)
	ada.wait("step 0/50")
	bob.wait("step 0/50")
	bob.press("\x07")
	bob.wait("own copy")
	bob.press(":prior lesson\r")
	bob.wait("An unknown function")
	ada.press(":export the progress\r")
	ada.wait("progress-bayes")
	files, _ := filepath.Glob(filepath.Join(c.options.Dir, "people", "ada", "progress-*.csv"))
	require.Equal(t, 1, len(files), "the exports are %v", files)
	text, err := os.ReadFile(files[0])
	if err != nil || !strings.Contains(string(text), "bob") {
		t.Errorf("%s, %v", text, err)
	}
}

// A question about a session closes when the teacher opens another one, and those who had it see that session.
func TestQuestionClosesWithItsSession(t *testing.T) {
	c := begin(t, options(t))
	ada, bob := c.join(t, "ada", true, 120, 36), c.join(t, "bob", false, 120, 36)
	ada.wait("step 0/50")
	bob.wait("step 0/50")
	ada.press(":ask where to evaluate next\r")
	bob.wait("Where would you evaluate next?")
	ada.wait("0 of 1")
	ada.press("\x07") // ctrl+g
	ada.wait("space step")
	ada.press(":prior lesson\r")
	bob.wait("An unknown function") // and not the page of the question
	if q, open := c.rooms["bayes"].class.State().OpenQuestion(); open {
		t.Errorf("question %d is open after its session was left", q.Number)
	}
}

// The code of the class is typed with an echo; that of the teacher, who shares the terminal, and PINs without one.
func TestPromptsForCodes(t *testing.T) {
	c := begin(t, options(t))
	_, teacher := c.Codes()
	answers, echoed := []string{"teacher", teacher, "1234"}, map[string]bool{}
	conn, err := gossh.Dial("tcp", c.address, &gossh.ClientConfig{User: "ada",
		HostKeyCallback: gossh.InsecureIgnoreHostKey(), Auth: []gossh.AuthMethod{gossh.KeyboardInteractive(
			func(_, _ string, questions []string, echos []bool) ([]string, error) {
				for i, q := range questions {
					echoed[strings.Fields(q)[0]] = echos[i]
				}
				now := answers[:len(questions)]
				answers = answers[len(questions):]
				return now, nil
			})}})
	require.NoError(t, err)
	defer conn.Close()
	assert.Equal(t, map[string]bool{"Join": true, "Teacher's": false, "Welcome,": false}, echoed, "the echo of the prompts")
}

// The teacher begins in a lobby that shows how to join. A question closes when a race begins.
func TestLobbyAndLeftQuestions(t *testing.T) {
	c := begin(t, options(t))
	c.Announce("ssh -p 2222 NAME@lab")
	ada := c.join(t, "ada", true, 120, 36)
	ada.wait("ssh -p 2222 NAME@lab")
	ada.wait("no question is open")
	bob := c.join(t, "bob", false, 100, 30)
	bob.wait("ada teaches")
	ada.press(":ask where to evaluate next\r")
	bob.wait("Where would you evaluate next?")
	ada.press(":start a race\r")
	ada.wait("gramacy-lee 12")
	ada.press("\r")
	bob.wait("race")
	if q, open := c.rooms["bayes"].class.State().OpenQuestion(); open {
		t.Errorf("question %d is open during a race", q.Number)
	}
}
