#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <memory>

#include "files.h"
#include "ohhell/errors.h"
#include "scripts.h"
#include "service.h"

namespace ohhell::tests {
namespace {

/// The files of a certificate for 127.0.0.1 that vouches for itself, and of its key.
struct Certificate {
    explicit Certificate(const std::string& name)
        : certificate(testing::TempDir() + name + ".pem"),
          key(testing::TempDir() + name + "-key.pem") {
        const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> pair{EVP_EC_gen("P-256"),
                                                                       EVP_PKEY_free};
        const std::unique_ptr<X509, decltype(&X509_free)> made{X509_new(), X509_free};
        X509_set_version(made.get(), X509_VERSION_3);
        ASN1_INTEGER_set(X509_get_serialNumber(made.get()), 1);
        X509_gmtime_adj(X509_getm_notBefore(made.get()), -3600);
        X509_gmtime_adj(X509_getm_notAfter(made.get()), 3600);
        X509_set_pubkey(made.get(), pair.get());
        X509_NAME* const subject = X509_get_subject_name(made.get());
        X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                                   reinterpret_cast<const unsigned char*>("a bot"), -1, -1,
                                   0);
        X509_set_issuer_name(made.get(), subject);
        const std::unique_ptr<X509_EXTENSION, decltype(&X509_EXTENSION_free)> names{
            X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "IP:127.0.0.1"),
            X509_EXTENSION_free};
        X509_add_ext(made.get(), names.get(), -1);
        X509_sign(made.get(), pair.get(), EVP_sha256());
        write(certificate, [&](FILE* file) { PEM_write_X509(file, made.get()); });
        write(key, [&](FILE* file) {
            PEM_write_PrivateKey(file, pair.get(), nullptr, nullptr, 0, nullptr, nullptr);
        });
    }

    const std::string certificate;
    const std::string key;

  private:
    static void write(const std::string& path, const std::function<void(FILE*)>& what) {
        FILE* const file = std::fopen(path.c_str(), "w");
        if (file == nullptr) throw std::runtime_error("cannot write " + path);
        what(file);
        std::fclose(file);
    }
};

TEST(Serving, ABotWithACertificateIsCalledByWhoTrustsIt) {
    const Certificate own{"served"};
    Settings settings = Settings::defaults();
    settings.certificate = own.certificate;
    settings.key = own.key;
    const auto served = serve_bot(maker<Lowest>(), settings);
    const auto call = dial(served.address, 3,
                           grpc::SslCredentials({content_of(own.certificate), "", ""}));
    EXPECT_EQ(call->heard.take().hello().lane(), 3U);
    EXPECT_EQ(refusal(served.address, "4").error_code(), grpc::StatusCode::UNAVAILABLE);
}

TEST(Connecting, AServiceThatWantsACertificateIsShownTheOneOfTheSettings) {
    const Certificate own{"shown"};
    grpc::SslServerCredentialsOptions demanding{
        GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY};
    demanding.pem_root_certs = content_of(own.certificate);
    demanding.pem_key_cert_pairs.push_back(
        {content_of(own.key), content_of(own.certificate)});
    Arena arena{grpc::SslServerCredentials(demanding)};
    Settings settings = Settings::defaults();
    settings.address = arena.address();
    settings.tls = true;
    settings.ca_file = own.certificate;
    settings.patience = std::chrono::seconds{0};
    const Log quiet = [](Level, std::string_view) {};
    EXPECT_THROW(connect(maker<Lowest>(), settings, quiet, {}), GivenUp);
    settings.certificate = own.certificate;
    settings.key = own.key;
    const auto run = dial_in(maker<Lowest>(), settings);
    EXPECT_EQ(arena.streams.take()->heard.take().hello().lane(), 0U);
}

TEST(Serving, AKeyOfAnotherCertificateIsRefused) {
    Settings settings = Settings::defaults();
    settings.serve = "127.0.0.1:0";
    settings.tls = true;
    settings.certificate = Certificate{"one"}.certificate;
    settings.key = Certificate{"another"}.key;
    EXPECT_THROW(listen(
                     maker<Lowest>(), settings, [](Level, std::string_view) {}, {},
                     [](const std::string&) {}),
                 WrongSetting);
    EXPECT_THROW(connect(maker<Lowest>(), settings, [](Level, std::string_view) {}, {}),
                 WrongSetting);
}

}  // namespace
}  // namespace ohhell::tests
