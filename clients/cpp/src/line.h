#pragma once

#include <grpcpp/grpcpp.h>

#include <iterator>
#include <utility>
#include <vector>

#include "ohhell/v1/arena.grpc.pb.h"

namespace ohhell {

inline constexpr int max_message_bytes = 1 << 20;

/// One call between a bot and the service, whoever made it. One thread reads, another one
/// writes.
class Line {
  public:
    virtual ~Line() = default;

    /// Waits for the next message; false where the other end is done, or gone.
    virtual bool read(std::vector<v1::ServerFrame>& frames) = 0;

    /// Sends one message; false where nobody can hear it.
    virtual bool write(std::vector<v1::ClientFrame> frames) = 0;

    /// Everything has been said; whoever writes says so.
    virtual void finish() = 0;

    /// Ends the call at once.
    virtual void cancel() = 0;

    /// How the call ended, when reading and writing are over.
    virtual grpc::Status status() = 0;
};

/// Takes the frames out of a message.
template <class Message>
void take_frames(Message& message, std::vector<v1::ServerFrame>& frames) {
    frames.assign(std::make_move_iterator(message.mutable_frames()->begin()),
                  std::make_move_iterator(message.mutable_frames()->end()));
}

/// Puts frames into a message.
template <class Message>
Message message_of(std::vector<v1::ClientFrame> frames) {
    Message message;
    for (auto& frame : frames) *message.add_frames() = std::move(frame);
    return message;
}

}  // namespace ohhell
