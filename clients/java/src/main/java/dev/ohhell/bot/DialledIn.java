package dev.ohhell.bot;

import dev.ohhell.v1.ClientFrame;
import dev.ohhell.v1.ConnectRequest;
import dev.ohhell.v1.ConnectResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.util.List;

/** A call that the bot made. */
final class DialledIn implements Line {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final ClientCallStreamObserver<ConnectRequest> call;

  DialledIn(Channel channel, String token, Inbox inbox) {
    Metadata headers = new Metadata();
    if (!token.isEmpty()) {
      headers.put(AUTHORIZATION, "Bearer " + token);
    }
    Channel known =
        ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    call =
        (ClientCallStreamObserver<ConnectRequest>)
            ClientCalls.asyncBidiStreamingCall(
                known.newCall(Calls.CONNECT, CallOptions.DEFAULT), new Hearing(inbox));
  }

  private record Hearing(Inbox inbox) implements StreamObserver<ConnectResponse> {
    @Override
    public void onNext(ConnectResponse message) {
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
    call.onNext(ConnectRequest.newBuilder().addAllFrames(frames).build());
  }

  @Override
  public void finish() {
    call.onCompleted();
  }

  @Override
  public void close() {
    call.cancel("the bot is done", null);
  }
}
