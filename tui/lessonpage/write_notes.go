package lessonpage

import (
	"context"
	"errors"
	"strings"

	"bandscope/sessions"
	"bandscope/sessions/recorder"
	"bandscope/tui/explore/note"
)

// WriteNotes writes notes, and checks their claims on the picture that a reader of the lesson sees.
type WriteNotes struct{ note.Write }

// Do records the notes. A false claim or a wrong view is an error, but the notes are recorded.
func (n WriteNotes) Do(ctx context.Context, s *sessions.Session, progress sessions.Progress) (string, error) {
	message, err := n.Write.Do(ctx, s, progress)
	if err != nil || !s.State().LastNote().HasDirectives() {
		return message, err
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
		message += "; make a lesson of this session with bandscope lesson new NAME --from"
	}
	return message, err
}

// checkPage returns the false claims of the current page. The session does not change.
func checkPage(ctx context.Context, s *sessions.Session) (broken []FalseClaim, err error) {
	copied, err := s.Detach(ctx)
	if err != nil {
		return nil, err
	}
	note, position := copied.State().LastNote(), copied.Timeline().At
	var before *claimPage
	if copied.Back() && copied.Timeline().At < position {
		before, err = turnTo(ctx, copied, nil)
		if err != nil {
			before = nil // the previous page reported its own errors
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
			broken = append(broken, FalseClaim{position + 1, recorder.FirstLine(note.Text), claim, err.Error()})
		}
	}
	return broken, nil
}
