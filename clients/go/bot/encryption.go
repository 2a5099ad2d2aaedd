package bot

import (
	"crypto/tls"
	"crypto/x509"
	"os"

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
