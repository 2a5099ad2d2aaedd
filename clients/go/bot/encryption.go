package bot

import (
	"crypto/tls"
	"crypto/x509"
	"os"
	"strings"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

// credentialsOf are those for calls to the service.
func credentialsOf(settings Settings) (credentials.TransportCredentials, error) {
	if !settings.TLS {
		return insecure.NewCredentials(), nil
	}
	config := &tls.Config{}
	if settings.CAFile != "" {
		pem, err := os.ReadFile(settings.CAFile)
		if err != nil {
			return nil, failed(ErrSettings, "%v", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, failed(ErrSettings, "%s holds no certificate", settings.CAFile)
		}
	}
	if settings.Certificate != "" {
		pair, err := pairOf(settings)
		if err != nil {
			return nil, err
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return credentials.NewTLS(config), nil
}

// pairOf is what is shown to the other end; the key is the certificate's.
func pairOf(settings Settings) (tls.Certificate, error) {
	pair, err := tls.LoadX509KeyPair(settings.Certificate, settings.Key)
	if err != nil {
		return pair, failed(ErrSettings, "%s and %s are no certificate with its key (%v)",
			settings.Certificate, settings.Key, err)
	}
	return pair, nil
}

// advice says which certificate may be missing. A service that misses one, or does not
// accept it, takes the connection and, without a word, hangs up after the handshake.
func advice(settings Settings, why string) string {
	hungUp := strings.Contains(why, "error reading server preface") ||
		strings.Contains(why, "broken pipe") || strings.Contains(why, "connection reset by peer")
	switch {
	case !settings.TLS || !hungUp || strings.Contains(why, "handshake"):
		return ""
	case settings.Certificate == "":
		return "; if the service wants its callers to show a certificate," +
			" give --certificate and --key"
	}
	return "; if the service wants a certificate of its callers, it does not accept " +
		settings.Certificate
}
