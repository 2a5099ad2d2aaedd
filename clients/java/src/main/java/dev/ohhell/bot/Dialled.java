package dev.ohhell.bot;

import dev.ohhell.v1.ClientFrame;
import dev.ohhell.v1.PlayRequest;
import dev.ohhell.v1.PlayResponse;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.List;

/** A call that the bot took. */
final class Dialled implements Line {
  private final StreamObserver<PlayResponse> call;

  Dialled(StreamObserver<PlayResponse> call, Inbox inbox) {
    this.call = call;
    // With a handler, writing to a caller that is gone does nothing instead of throwing.
    ((ServerCallStreamObserver<PlayResponse>) call)
        .setOnCancelHandler(() -> inbox.ended(Status.CANCELLED));
  }

  /** What gRPC hands the caller's messages to. */
  record Hearing(Inbox inbox) implements StreamObserver<PlayRequest> {
    @Override
    public void onNext(PlayRequest message) {
      inbox.heard(message.getFramesList());
    }

    @Override
    public void onError(Throwable error) {
      inbox.ended(Status.fromThrowable(error));
    }

    @Override
    public void onCompleted() {
      inbox.ended(Status.OK);
    }
  }

  @Override
  public void write(List<ClientFrame> frames) {
    call.onNext(PlayResponse.newBuilder().addAllFrames(frames).build());
  }

  /** The caller closes its side when it has heard the goodbye. */
  @Override
  public void finish() {}

  @Override
  public void close() {
    call.onCompleted();
  }
}
