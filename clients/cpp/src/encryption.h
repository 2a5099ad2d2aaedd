#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>

#include "ohhell/settings.h"

namespace ohhell {

/// For calls to the service; throws WrongSetting.
std::shared_ptr<grpc::ChannelCredentials> credentials_of_caller(const Settings& settings);

/// For those who call; throws WrongSetting.
std::shared_ptr<grpc::ServerCredentials> credentials_of_called(const Settings& settings);

/// Which certificate may be missing where a call ended so; empty where none is.
std::string advice(const Settings& settings, const std::string& why);

}  // namespace ohhell
