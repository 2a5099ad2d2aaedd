package bot

import (
	"errors"
	"fmt"
)

// What may end a run, for errors.Is.
var (
	// ErrSettings: a flag or variable is wrong.
	ErrSettings = errors.New("a setting is wrong")
	// ErrFault: the bot's own code failed, and it was asked to stop then.
	ErrFault = errors.New("the bot failed")
	// ErrRefused: the service does not want this bot, trying again is useless.
	ErrRefused = errors.New("refused")
	// ErrGivenUp: the service was out of reach for too long.
	ErrGivenUp = errors.New("given up")
)

// failure says everything in its own message; its kind is for errors.Is.
type failure struct {
	kind    error
	message string
}

func (f *failure) Error() string { return f.message }
func (f *failure) Unwrap() error { return f.kind }

func failed(kind error, format string, values ...any) error {
	return &failure{kind: kind, message: fmt.Sprintf(format, values...)}
}

// Exit statuses of a bot process.
const (
	exitFault       = 1
	exitUsage       = 2
	exitGivenUp     = 3
	exitInterrupted = 130
)

func exitStatus(err error) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, ErrFault):
		return exitFault
	case errors.Is(err, ErrGivenUp):
		return exitGivenUp
	default:
		return exitUsage
	}
}
