#include "encryption.h"

#include <openssl/ssl.h>

#include "files.h"
#include "ohhell/errors.h"

namespace ohhell {
namespace {

/// gRPC would not say that a key is another certificate's.
bool belong_together(const std::string& certificate, const std::string& key) {
    const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context{
        SSL_CTX_new(TLS_method()), SSL_CTX_free};
    // Without it a key with a password would have the terminal asked for one.
    SSL_CTX_set_default_passwd_cb(context.get(), [](char*, int, int, void*) { return 0; });
    return SSL_CTX_use_certificate_chain_file(context.get(), certificate.c_str()) == 1 &&
           SSL_CTX_use_PrivateKey_file(context.get(), key.c_str(), SSL_FILETYPE_PEM) == 1 &&
           SSL_CTX_check_private_key(context.get()) == 1;
}

/// In PEM, what is shown to the other end.
struct Pair {
    explicit Pair(const Settings& settings)
        : certificate(content_of(settings.certificate)), key(content_of(settings.key)) {
        if (!belong_together(settings.certificate, settings.key)) {
            throw WrongSetting{settings.certificate + " and " + settings.key +
                               " are no certificate with its key"};
        }
    }

    std::string certificate;
    std::string key;
};

std::string authorities_in(const std::string& file) {
    auto pem = content_of(file);
    if (pem.find("-----BEGIN CERTIFICATE-----") == std::string::npos) {
        throw WrongSetting{file + " holds no certificate"};
    }
    return pem;
}

}  // namespace

std::shared_ptr<grpc::ChannelCredentials> credentials_of_caller(const Settings& settings) {
    if (!settings.tls) return grpc::InsecureChannelCredentials();
    grpc::SslCredentialsOptions options;
    if (!settings.ca_file.empty())
        options.pem_root_certs = authorities_in(settings.ca_file);
    if (!settings.certificate.empty()) {
        const Pair pair{settings};
        options.pem_cert_chain = pair.certificate;
        options.pem_private_key = pair.key;
    }
    return grpc::SslCredentials(options);
}

std::shared_ptr<grpc::ServerCredentials> credentials_of_called(const Settings& settings) {
    if (settings.certificate.empty()) return grpc::InsecureServerCredentials();
    const Pair pair{settings};
    grpc::SslServerCredentialsOptions options;
    options.pem_key_cert_pairs.push_back({pair.key, pair.certificate});
    return grpc::SslServerCredentials(options);
}

std::string advice(const Settings& settings, const std::string& why) {
    // A service that misses a certificate, or does not accept it, takes the connection and,
    // without a word, hangs up after the handshake.
    const auto says = [&](const char* words) {
        return why.find(words) != std::string::npos;
    };
    const bool hung_up = says("Socket closed") || says("Connection reset by peer");
    if (!settings.tls || !hung_up || says("andshake")) return "";
    if (settings.certificate.empty()) {
        return "; if the service wants its callers to show a certificate, give"
               " --certificate and --key";
    }
    return "; if the service wants a certificate of its callers, it does not accept " +
           settings.certificate;
}

}  // namespace ohhell
