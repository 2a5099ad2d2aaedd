package bot

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	ohhellv1 "ohhell.dev/ohhell/v1"
)

// certified gives the files of a certificate for 127.0.0.1 that vouches for itself, and of
// its key.
func certified(t *testing.T) (certificate, key string) {
	t.Helper()
	pair, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	says := &x509.Certificate{
		SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	made, err := x509.CreateCertificate(rand.Reader, says, says, pair.Public(), pair)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(pair)
	if err != nil {
		t.Fatal(err)
	}
	write := func(kind string, content []byte) string {
		path := filepath.Join(t.TempDir(), "own.pem")
		text := pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content})
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return write("CERTIFICATE", made), write("PRIVATE KEY", secret)
}

func TestABotWithACertificateIsCalledByWhoTrustsIt(t *testing.T) {
	settings := defaults()
	settings.Certificate, settings.Key = certified(t)
	trust, err := credentials.NewClientTLSFromFile(settings.Certificate, "")
	if err != nil {
		t.Fatal(err)
	}
	stream := dial(t, served(t, settings, trust), 3)
	if hello := receive(t, stream.heard).GetHello(); hello.GetLane() != 3 {
		t.Error(hello)
	}
	unencrypted := served(t, settings, insecure.NewCredentials())
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	call, err := ohhellv1.NewBotServiceClient(unencrypted).Play(ctx)
	if err == nil {
		_, err = call.Recv()
	}
	if status.Code(err) != codes.Unavailable {
		t.Error(err)
	}
}

func TestAKeyOfAnotherCertificateIsRefused(t *testing.T) {
	settings := defaults()
	settings.Serve = "127.0.0.1:0"
	settings.TLS = true
	settings.Certificate, _ = certified(t)
	_, settings.Key = certified(t)
	newBot := func() Bot { return lowest{} }
	for _, err := range []error{
		Listen(context.Background(), newBot, settings, quiet(), nil),
		Connect(context.Background(), newBot, settings, quiet()),
	} {
		if !errors.Is(err, ErrSettings) ||
			!strings.Contains(err.Error(), "are no certificate with its key") {
			t.Error(err)
		}
	}
}

func TestAServiceThatWantsACertificateIsShownTheOneOfTheSettings(t *testing.T) {
	settings := defaults()
	settings.TLS = true
	settings.Certificate, settings.Key = certified(t)
	settings.CAFile = settings.Certificate
	pair, err := pairOf(settings)
	if err != nil {
		t.Fatal(err)
	}
	trusted := x509.NewCertPool()
	trusted.AddCert(pair.Leaf)
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{
		Certificates: []tls.Certificate{pair}, NextProtos: []string{"h2"},
		ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: trusted,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	welcome := func(settings Settings) bool {
		shaken := make(chan error, 1)
		go func() {
			line, err := listener.Accept()
			if err == nil {
				err = line.(*tls.Conn).HandshakeContext(ctx)
			}
			shaken <- err
		}()
		own, err := credentialsOf(settings)
		if err != nil {
			t.Fatal(err)
		}
		line, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer line.Close()
		if _, _, err := own.ClientHandshake(ctx, "127.0.0.1", line); err != nil {
			t.Error(err)
		}
		return <-shaken == nil
	}
	if !welcome(settings) {
		t.Error("not welcome with a certificate")
	}
	settings.Certificate, settings.Key = "", ""
	if welcome(settings) {
		t.Error("welcome without a certificate")
	}
}
