#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>

#include "ohhell/settings.h"

namespace ohhell {

/// For calls to the service; throws WrongSetting.
std::shared_ptr<grpc::ChannelCredentials> credentials_of_caller(const Settings& settings);

/// For those who call; throws WrongSetting.
std::shared_ptr<grpc::ServerCredentials> credentials_of_called(const Settings& settings);

}  // namespace ohhell
