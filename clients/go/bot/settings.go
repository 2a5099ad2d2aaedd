package bot

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// OnError is what follows when a bot's own code fails.
type OnError string

const (
	// Concede tells the table at once that there is no answer; the other tables go on.
	Concede OnError = "concede"
	// Stop ends the process with exit status 1.
	Stop OnError = "stop"
)

// Settings tell a bot process where to go, and how.
type Settings struct {
	Address  string // where the service listens, HOST:PORT
	Token    string
	TLS      bool
	CAFile   string // PEM; "": the system's
	Instance string // tells this process from others of the bot
	Lane     int
	Workers  int // prompts open at once
	Threads  int // goroutines to think in; 0 and 1 are the same
	Patience time.Duration
	Log      slog.Level
	OnError  OnError
	Serve    string // where to wait for calls instead of making one; "": nowhere
	// Certificate, a chain, is shown to the service, or to whoever calls; with its Key,
	// both PEM files.
	Certificate, Key string
	Expose           bool // other machines may call
}

func defaults() Settings {
	random := make([]byte, 8)
	_, _ = rand.Read(random) // never fails
	return Settings{
		Address: "127.0.0.1:50051", Instance: hex.EncodeToString(random), Workers: 1,
		Patience: 600 * time.Second, Log: slog.LevelInfo, OnError: Concede,
	}
}

const prefix = "OHHELL_BOT_"

// setting is one thing that may be set: flag --some-thing, variable ..SOME_THING.
type setting struct {
	name string
	help string
	put  func(to *Settings, text string) error
}

func (s setting) variable() string { return prefix + strings.ToUpper(s.name) }
func (s setting) flag() string     { return strings.ReplaceAll(s.name, "_", "-") }

var known = []setting{
	{"address", "where the service listens, HOST:PORT", func(to *Settings, text string) error {
		return address(&to.Address, text, 1)
	}},
	// A token in a flag could be read by every user of the machine.
	{"token", "", func(to *Settings, text string) error { return word(&to.Token, text) }},
	{"token_file", "file that holds the bot's token", func(to *Settings, text string) error {
		content, err := os.ReadFile(text)
		if err != nil {
			return err
		}
		return word(&to.Token, string(content))
	}},
	{"token_fd", "descriptor from which to read the token once", tokenFrom},
	{"tls", "on: encrypt, and check the service's certificate",
		func(to *Settings, text string) error { return onOrOff(&to.TLS, text) }},
	{"ca_file", "certificates to trust, PEM; turns TLS on", func(to *Settings, text string) error {
		to.TLS = true
		return file(&to.CAFile, text)
	}},
	{"instance", "name of this process among those of the bot",
		func(to *Settings, text string) error { return word(&to.Instance, text) }},
	{"lane", "lane this process plays",
		func(to *Settings, text string) error { return between(&to.Lane, text, 0, 255) }},
	{"workers", "prompts to have open at once",
		func(to *Settings, text string) error { return between(&to.Workers, text, 1, 4096) }},
	{"threads", "goroutines to think in; 0 and 1 are the same",
		func(to *Settings, text string) error { return between(&to.Threads, text, 0, 256) }},
	{"patience_s", "seconds to try to reach the service", func(to *Settings, text string) error {
		var seconds int
		err := between(&seconds, text, 1, 86_400)
		to.Patience = time.Duration(seconds) * time.Second
		return err
	}},
	{"log", "how much to log: error, warning, info, debug", func(to *Settings, text string) error {
		levels := map[string]slog.Level{
			"error": slog.LevelError, "warning": slog.LevelWarn,
			"info": slog.LevelInfo, "debug": slog.LevelDebug,
		}
		level, ok := levels[strings.ToLower(text)]
		if !ok {
			return fmt.Errorf("%q is none of error, warning, info, debug", text)
		}
		to.Log = level
		return nil
	}},
	{"on_error", "when the bot's own code fails: concede, stop", func(to *Settings, text string) error {
		to.OnError = OnError(strings.ToLower(text))
		if to.OnError != Concede && to.OnError != Stop {
			return fmt.Errorf("%q is none of concede, stop", text)
		}
		return nil
	}},
	{"serve", "wait at HOST:PORT for the service to call",
		func(to *Settings, text string) error { return address(&to.Serve, text, 0) }},
	{"certificate", "chain to show to the other end, PEM; encrypts",
		func(to *Settings, text string) error {
			to.TLS = true
			return file(&to.Certificate, text)
		}},
	{"key", "the key of that certificate, PEM",
		func(to *Settings, text string) error { return file(&to.Key, text) }},
	{"expose", "on: other machines may call, unencrypted",
		func(to *Settings, text string) error { return onOrOff(&to.Expose, text) }},
}

func tokenFrom(to *Settings, text string) error {
	var descriptor int
	if err := between(&descriptor, text, 0, 65_535); err != nil {
		return err
	}
	pipe := os.NewFile(uintptr(descriptor), "token")
	if pipe == nil {
		return fmt.Errorf("cannot read from %s", text)
	}
	defer pipe.Close()
	content, err := io.ReadAll(pipe)
	if err != nil {
		return fmt.Errorf("cannot read from %s: %w", text, errors.Unwrap(err))
	}
	return word(&to.Token, string(content))
}

func word(to *string, text string) error {
	*to = strings.TrimSpace(text)
	if *to == "" {
		return errors.New("it is empty")
	}
	return nil
}

func file(to *string, path string) error {
	*to = path
	if found, err := os.Stat(path); err != nil || !found.Mode().IsRegular() {
		return fmt.Errorf("there is no file %s", path)
	}
	return nil
}

func address(to *string, text string, leastPort int) error {
	*to = strings.TrimSpace(text)
	host, port, err := net.SplitHostPort(*to)
	number, wrong := strconv.Atoi(port)
	if err != nil || wrong != nil || host == "" || number < leastPort || number > 65_535 {
		return fmt.Errorf("%q is not HOST:PORT", text)
	}
	return nil
}

func between(to *int, text string, low, high int) error {
	number, err := strconv.Atoi(text)
	if err != nil || number < low || number > high {
		return fmt.Errorf("%q is not a whole number %d..%d", text, low, high)
	}
	*to = number
	return nil
}

func onOrOff(to *bool, text string) error {
	switch strings.ToLower(text) {
	case "on":
		*to = true
	case "off":
		*to = false
	default:
		return fmt.Errorf("%q is none of on, off", text)
	}
	return nil
}

// given is the text of one setting, and what it is called where it was given.
type given struct {
	setting setting
	called  string
	text    string
}

// ReadSettings reads flags over variables over base; nothing that is unknown, malformed or
// contradictory is passed over.
func ReadSettings(arguments, environment []string, base Settings) (Settings, error) {
	settings := base
	variables, err := fromEnvironment(environment)
	if err != nil {
		return settings, err
	}
	flags, err := fromArguments(arguments)
	if err != nil {
		return settings, err
	}
	for _, source := range [][]given{variables, flags} {
		var tokens []string
		for _, one := range source {
			if strings.HasPrefix(one.setting.name, "token") {
				tokens = append(tokens, one.called)
			}
		}
		if len(tokens) > 1 {
			return settings, failed(ErrSettings,
				"give the token once, not as %s", strings.Join(tokens, " and "))
		}
		for _, one := range source {
			if err := one.setting.put(&settings, one.text); err != nil {
				return settings, failed(ErrSettings, "%s: %v", one.called, err)
			}
		}
	}
	return settings, checkEncryption(settings)
}

func checkEncryption(settings Settings) error {
	encrypted := settings.Certificate != ""
	switch {
	case encrypted != (settings.Key != ""):
		return failed(ErrSettings, "--certificate and --key: give both, or neither")
	case settings.Serve != "" && !encrypted && !settings.Expose && !isLoopback(settings.Serve):
		return failed(ErrSettings, "--serve %s: other machines could call the bot, and nothing"+
			" is encrypted; give --certificate and --key, or add --expose on", settings.Serve)
	}
	return nil
}

func fromEnvironment(environment []string) ([]given, error) {
	var found []given
	for _, entry := range slices.Sorted(slices.Values(environment)) {
		variable, text, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(variable, prefix) {
			continue
		}
		at := slices.IndexFunc(known, func(s setting) bool { return s.variable() == variable })
		if at < 0 {
			return nil, failed(ErrSettings, "%s is not a setting of a bot; did you mean %s?",
				variable, nearest(variable))
		}
		found = append(found, given{known[at], variable, text})
	}
	return found, nil
}

func fromArguments(arguments []string) ([]given, error) {
	var found []given
	flags := flag.NewFlagSet("bot", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	for _, setting := range known {
		if setting.help != "" {
			flags.Func(setting.flag(), setting.help, func(text string) error {
				found = append(found, given{setting, "--" + setting.flag(), text})
				return nil
			})
		}
	}
	if err := flags.Parse(arguments); err != nil {
		return nil, failed(ErrSettings, "%v%s", err, usage(flags))
	}
	if flags.NArg() > 0 {
		return nil, failed(ErrSettings, "unknown argument %q", flags.Arg(0))
	}
	return found, nil
}

func usage(flags *flag.FlagSet) string {
	var text strings.Builder
	flags.VisitAll(func(one *flag.Flag) {
		fmt.Fprintf(&text, "\n  --%-12s %s", one.Name, one.Usage)
	})
	return text.String()
}

func isLoopback(address string) bool {
	host, _, _ := net.SplitHostPort(address)
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

// nearest is the known variable with the fewest letters to change.
func nearest(variable string) string {
	return slices.MinFunc(known, func(a, b setting) int {
		return distance(variable, a.variable()) - distance(variable, b.variable())
	}).variable()
}

func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
