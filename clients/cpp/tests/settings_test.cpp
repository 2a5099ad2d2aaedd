#include "ohhell/settings.h"

#include <gtest/gtest.h>

#include <fstream>

#include "ohhell/errors.h"

namespace ohhell::tests {
namespace {

using Texts = std::vector<std::string>;

Settings read(const Texts& flags, const Texts& variables) {
    return read_settings(flags, variables, Settings::defaults());
}

TEST(Settings, FlagsWinOverVariablesWhichWinOverDefaults) {
    const auto settings = read(
        {"--lane", "2", "--workers=5"},
        {"OHHELL_BOT_LANE=1", "OHHELL_BOT_PATIENCE_S=7", "OHHELL_BOT_TOKEN= a ", "HOME=/"});
    EXPECT_EQ(settings.lane, 2);
    EXPECT_EQ(settings.workers, 5);
    EXPECT_EQ(settings.patience, std::chrono::seconds{7});
    EXPECT_EQ(settings.token, "a");
    EXPECT_EQ(settings.address, "127.0.0.1:50051");
    EXPECT_EQ(settings.instance.size(), 16U);
}

TEST(Settings, WhatIsWrongIsNamed) {
    struct Case {
        Texts flags, variables;
        std::string says;
    };
    const std::vector<Case> cases{
        {{},
         {"OHHELL_BOT_LANES=1"},
         "OHHELL_BOT_LANES is not a setting of a bot; did you mean OHHELL_BOT_LANE?"},
        {{},
         {"OHHELL_BOT_WORKERS=0"},
         "OHHELL_BOT_WORKERS: \"0\" is not a whole number 1..4096"},
        {{"--workers", "x"}, {}, "--workers: \"x\" is not a whole number 1..4096"},
        {{"--workers", "9999999999"}, {}, "is not a whole number 1..4096"},
        {{"--workers"}, {}, "--workers needs a value"},
        {{"--address", "here"}, {}, "--address: \"here\" is not HOST:PORT"},
        {{"--address", "here:0"}, {}, "--address: \"here:0\" is not HOST:PORT"},
        {{"--address", "::1:5"}, {}, "--address: \"::1:5\" is not HOST:PORT"},
        {{"--on-error", "cry"}, {}, "--on-error: \"cry\" is none of concede, stop"},
        {{"--tls", "maybe"}, {}, "--tls: \"maybe\" is none of off, on"},
        {{"--token", "x"}, {}, "unknown argument \"--token\""},
        {{"stray"}, {}, "unknown argument \"stray\""},
        {{"--token-file", "missing"}, {}, "--token-file: there is no file missing"},
        {{"--ca-file", "missing"}, {}, "--ca-file: there is no file missing"},
        {{"--token-fd", "987"}, {}, "--token-fd: cannot read from 987"},
        {{},
         {"OHHELL_BOT_TOKEN=a", "OHHELL_BOT_TOKEN_FD=0"},
         "give the token once, not as OHHELL_BOT_TOKEN and OHHELL_BOT_TOKEN_FD"},
        {{}, {"OHHELL_BOT_TOKEN= "}, "OHHELL_BOT_TOKEN: it is empty"},
        {{"--serve", "0.0.0.0:1"}, {}, "add --expose on"},
        {{"--serve", "0.0.0.0:1", "--key", "/dev/null"}, {}, "give both, or neither"},
        {{}, {"OHHELL_BOT_CERTIFICATE=/dev/null"}, "give both, or neither"},
        {{"--key", "missing"}, {}, "--key: there is no file missing"},
    };
    for (const auto& one : cases) {
        try {
            read(one.flags, one.variables);
            ADD_FAILURE() << one.says;
        } catch (const WrongSetting& error) {
            EXPECT_NE(std::string{error.what()}.find(one.says), std::string::npos)
                << error.what() << "\nnot\n"
                << one.says;
        }
    }
}

TEST(Settings, ATokenIsReadFromAFile) {
    const std::string path = testing::TempDir() + "ohhell_token";
    std::ofstream{path} << "secret\n";
    EXPECT_EQ(read({"--token-file", path}, {}).token, "secret");
}

TEST(Settings, OtherMachinesMayCallWhereThatIsSaid) {
    for (const auto* serve : {"127.0.0.1:0", "[::1]:0", "localhost:0"}) {
        EXPECT_EQ(read({"--serve", serve}, {}).serve, serve);
    }
    EXPECT_TRUE(read({"--serve", "0.0.0.0:0", "--expose", "on"}, {}).expose);
    const auto encrypted = read(
        {"--serve", "0.0.0.0:0", "--certificate", "/dev/null", "--key", "/dev/null"}, {});
    EXPECT_FALSE(encrypted.expose);
}

TEST(Settings, ACertificateForTheServiceTurnsEncryptionOn) {
    const auto settings = read({"--certificate", "/dev/null", "--key", "/dev/null"}, {});
    EXPECT_TRUE(settings.tls);
    EXPECT_EQ(settings.certificate, "/dev/null");
    EXPECT_EQ(settings.key, "/dev/null");
}

TEST(Settings, EveryErrorHasItsExitStatus) {
    EXPECT_EQ(BotFailed{"x"}.exit_status(), 1);
    EXPECT_EQ(WrongSetting{"x"}.exit_status(), 2);
    EXPECT_EQ(Refused{"x"}.exit_status(), 2);
    EXPECT_EQ(GivenUp{"x"}.exit_status(), 3);
}

}  // namespace
}  // namespace ohhell::tests
