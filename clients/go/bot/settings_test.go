package bot

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// own is some file.
const own = "settings_test.go"

func read(arguments, environment []string) (Settings, error) {
	return ReadSettings(arguments, environment, defaults())
}

func TestFlagsWinOverVariablesWhichWinOverDefaults(t *testing.T) {
	settings, err := read(
		[]string{"--lane", "2", "-workers=5"},
		[]string{"OHHELL_BOT_LANE=1", "OHHELL_BOT_PATIENCE_S=7", "OHHELL_BOT_TOKEN= a ", "HOME=/"},
	)
	if err != nil {
		t.Fatal(err)
	}
	if settings.Lane != 2 || settings.Workers != 5 || settings.Patience != 7*time.Second ||
		settings.Token != "a" || settings.Address != "127.0.0.1:50051" || settings.Instance == "" {
		t.Errorf("%+v", settings)
	}
}

func TestWhatIsWrongIsNamed(t *testing.T) {
	for _, c := range []struct {
		arguments, environment []string
		says                   string
	}{
		{nil, []string{"OHHELL_BOT_LANES=1"},
			"OHHELL_BOT_LANES is not a setting of a bot; did you mean OHHELL_BOT_LANE?"},
		{nil, []string{"OHHELL_BOT_WORKERS=0"}, `OHHELL_BOT_WORKERS: "0" is not a whole number 1..4096`},
		{[]string{"--workers", "x"}, nil, `--workers: "x" is not a whole number 1..4096`},
		{[]string{"--address", "here"}, nil, `--address: "here" is not HOST:PORT`},
		{[]string{"--address", "here:0"}, nil, `--address: "here:0" is not HOST:PORT`},
		{[]string{"--on-error", "cry"}, nil, `--on-error: "cry" is none of concede, stop`},
		{[]string{"--token", "x"}, nil, "flag provided but not defined: -token"},
		{[]string{"stray"}, nil, `unknown argument "stray"`},
		{[]string{"--token-file", "missing"}, nil, "--token-file: open missing"},
		{[]string{"--token-fd", "987"}, nil, "--token-fd: cannot read from 987"},
		{nil, []string{"OHHELL_BOT_TOKEN=a", "OHHELL_BOT_TOKEN_FD=0"},
			"give the token once, not as OHHELL_BOT_TOKEN and OHHELL_BOT_TOKEN_FD"},
		{[]string{"--ca-file", "missing"}, nil, "--ca-file: there is no file missing"},
		{[]string{"--serve", "0.0.0.0:1"}, nil, "give --certificate and --key, or add --expose on"},
		{[]string{"--serve", "0.0.0.0:1", "--key", own}, nil,
			"--certificate and --key: give both, or neither"},
		{nil, []string{"OHHELL_BOT_CERTIFICATE=" + own},
			"--certificate and --key: give both, or neither"},
		{nil, []string{"OHHELL_BOT_KEY=missing"}, "OHHELL_BOT_KEY: there is no file missing"},
	} {
		_, err := read(c.arguments, c.environment)
		if !errors.Is(err, ErrSettings) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v %v: %v", c.arguments, c.environment, err)
		}
	}
}

func TestATokenIsReadFromAFileOrAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(path, []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if settings, err := read([]string{"--token-file", path}, nil); err != nil || settings.Token != "secret" {
		t.Errorf("%q %v", settings.Token, err)
	}
}

func TestOtherMachinesMayCallWhereThatIsSaid(t *testing.T) {
	for _, serve := range []string{"127.0.0.1:0", "[::1]:0", "localhost:0"} {
		if _, err := read([]string{"--serve", serve}, nil); err != nil {
			t.Error(err)
		}
	}
	for _, more := range [][]string{{"--expose", "on"}, {"--certificate", own, "--key", own}} {
		if _, err := read(append(more, "--serve", "0.0.0.0:0"), nil); err != nil {
			t.Error(err)
		}
	}
}

func TestACertificateForTheServiceTurnsEncryptionOn(t *testing.T) {
	settings, err := read([]string{"--certificate", own}, []string{"OHHELL_BOT_KEY=" + own})
	if err != nil || !settings.TLS || settings.Certificate != own || settings.Key != own {
		t.Errorf("%+v %v", settings, err)
	}
}

func TestEveryFailureHasItsExitStatus(t *testing.T) {
	for err, status := range map[error]int{
		nil: 0, failed(ErrFault, "x"): 1, failed(ErrSettings, "x"): 2, failed(ErrRefused, "x"): 2,
		failed(ErrGivenUp, "x"): 3,
	} {
		if exitStatus(err) != status {
			t.Errorf("%v: %d", err, exitStatus(err))
		}
	}
}
