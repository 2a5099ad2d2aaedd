package dev.ohhell.bot;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.ohhell.v1.ConnectRequest;
import dev.ohhell.v1.ConnectResponse;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerCredentials;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A service that hands out the streams that a bot opens. */
final class Arena implements AutoCloseable {
  private static final Context.Key<String> AUTHORIZATION = Context.key("authorization");

  private final BlockingQueue<Taken> streams = new LinkedBlockingQueue<>();
  private final Server server;

  Arena() throws IOException {
    this(InsecureServerCredentials.create());
  }

  Arena(ServerCredentials shown) throws IOException {
    ServerServiceDefinition service =
        ServerServiceDefinition.builder("ohhell.v1.ArenaService")
            .addMethod(Calls.CONNECT, ServerCalls.asyncBidiStreamingCall(this::connect))
            .build();
    server =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), shown)
            .addService(ServerInterceptors.intercept(service, new TokenReader()))
            .build()
            .start();
  }

  String address() {
    return "127.0.0.1:" + server.getPort();
  }

  Taken next() throws InterruptedException {
    Taken stream = streams.poll(Caller.PATIENCE_S, TimeUnit.SECONDS);
    assertNotNull(stream, "no stream came");
    return stream;
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  private static final class TokenReader implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      String token =
          headers.get(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER));
      Context context = Context.current().withValue(AUTHORIZATION, token);
      return Contexts.interceptCall(context, call, headers, next);
    }
  }

  private StreamObserver<ConnectRequest> connect(StreamObserver<ConnectResponse> call) {
    ((ServerCallStreamObserver<ConnectResponse>) call).setOnCancelHandler(() -> {});
    Taken stream = new Taken(call, AUTHORIZATION.get());
    streams.add(stream);
    return new StreamObserver<>() {
      @Override
      public void onNext(ConnectRequest message) {
        stream.hear(message.getFramesList());
      }

      @Override
      public void onError(Throwable error) {
        stream.hearNoMore();
      }

      @Override
      public void onCompleted() {
        stream.hearNoMore();
        stream.end(Status.Code.OK);
      }
    };
  }

  /** A stream that a bot opened, with its authorization, or null. */
  static final class Taken extends Caller {
    private final StreamObserver<ConnectResponse> call;
    private final String authorization;
    private boolean ended;

    Taken(StreamObserver<ConnectResponse> call, String authorization) {
      this.call = call;
      this.authorization = authorization;
    }

    String authorization() {
      return authorization;
    }

    @Override
    synchronized void say(ConnectResponse message) {
      call.onNext(message);
    }

    @Override
    synchronized void end(Status.Code code) {
      if (ended) {
        return;
      }
      ended = true;
      if (code == Status.Code.OK) {
        call.onCompleted();
      } else {
        call.onError(
            Status.fromCode(code).withDescription("the script says so").asRuntimeException());
      }
    }

    @Override
    void hangUp() {}
  }
}
