package dev.ohhell.bot;

import static org.junit.jupiter.api.Assertions.fail;

import dev.ohhell.v1.ConnectResponse;
import dev.ohhell.v1.PlayRequest;
import dev.ohhell.v1.PlayResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A call of the service to a bot that waits for one. */
final class Dialling extends Caller {
  private final CompletableFuture<Status> begun = new CompletableFuture<>();
  private final ClientCallStreamObserver<PlayRequest> call;

  private Dialling(Channel channel, String lane) {
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("ohhell-lane", Metadata.ASCII_STRING_MARSHALLER), lane);
    Channel known =
        ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    call =
        (ClientCallStreamObserver<PlayRequest>)
            ClientCalls.asyncBidiStreamingCall(
                known.newCall(Calls.PLAY, CallOptions.DEFAULT), new Hearing());
  }

  /** Calls again and again while the lane is taken. */
  static Dialling dial(Channel channel, int lane) throws Exception {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    while (System.nanoTime() < until) {
      Dialling dialling = new Dialling(channel, Integer.toString(lane));
      Status status = dialling.begun.get(PATIENCE_S, TimeUnit.SECONDS);
      if (status.isOk()) {
        return dialling;
      }
      if (status.getCode() != Status.Code.RESOURCE_EXHAUSTED) {
        fail(status.toString());
      }
    }
    return fail("the lane stays taken");
  }

  /** How a call is answered: OK where the bot says something. */
  static Status.Code answer(Channel channel, String lane) throws Exception {
    return new Dialling(channel, lane).begun.get(PATIENCE_S, TimeUnit.SECONDS).getCode();
  }

  private final class Hearing implements StreamObserver<PlayResponse> {
    @Override
    public void onNext(PlayResponse message) {
      hear(message.getFramesList());
      begun.complete(Status.OK);
    }

    @Override
    public void onError(Throwable error) {
      begun.complete(Status.fromThrowable(error));
      hearNoMore();
    }

    @Override
    public void onCompleted() {
      begun.complete(Status.UNKNOWN);
      hearNoMore();
    }
  }

  @Override
  void say(ConnectResponse message) {
    call.onNext(PlayRequest.newBuilder().addAllFrames(message.getFramesList()).build());
  }

  @Override
  void end(Status.Code code) {
    if (code == Status.Code.OK) {
      call.onCompleted();
    } else {
      call.cancel("the script says so", null);
    }
  }

  @Override
  void hangUp() {
    call.onCompleted();
  }
}
