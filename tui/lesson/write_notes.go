package lesson

import (
	"context"
	"errors"
	"strings"

	"bandscope/sessions"
	"bandscope/sessions/recorder"
	"bandscope/tui/explore/note"
)

// WriteNotes is notes being written, with what they claim checked at once of the picture as a lesson's reader will see
// it.
type WriteNotes struct{ note.Write }

// Do records the notes. What they claim and is not true is told as an error, and so is what cannot be seen; they are
// recorded all the same.
func (n WriteNotes) Do(ctx context.Context, s *sessions.Session, progress sessions.Progress) (string, error) {
	said, err := n.Write.Do(ctx, s, progress)
	if err != nil || !s.State().LastNote().HasDirectives() {
		return said, err
	}
	if progress != nil {
		progress("checking the claims", 0, 0)
	}
	broken, err := checkPage(ctx, s)
	if err == nil && len(broken) > 0 {
		wrong := make([]string, len(broken))
		for i, b := range broken {
			wrong[i] = b.Claim + " (" + b.Why + ")"
		}
		err = errors.New("false claims: " + strings.Join(wrong, "; "))
	}
	if err == nil && s.Lesson() == nil {
		said += "; make a lesson of this session with bandscope lesson new NAME --from"
	}
	return said, err
}

// checkPage are the claims of the page where a session stands that are not true. The session is left alone.
func checkPage(ctx context.Context, s *sessions.Session) (broken []FalseClaim, err error) {
	copied, err := s.Detach(ctx)
	if err != nil {
		return nil, err
	}
	note, at := copied.State().LastNote(), copied.Timeline().At
	var before *claimPage
	if copied.Back() && copied.Timeline().At < at {
		if before, err = turnTo(ctx, copied, nil); err != nil {
			before = nil // of the page before, what is wrong with it was said there
		}
		copied, err = s.Detach(ctx)
		if err != nil {
			return nil, err
		}
	}
	p, err := turnTo(ctx, copied, before)
	if err != nil {
		return nil, err
	}
	for _, claim := range note.Claims {
		if err := p.check(claim); err != nil {
			broken = append(broken, FalseClaim{at + 1, recorder.FirstLine(note.Text), claim, err.Error()})
		}
	}
	return broken, nil
}
