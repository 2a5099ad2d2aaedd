package dev.ohhell.bot;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import dev.ohhell.v1.Arena;
import dev.ohhell.v1.ConnectRequest;
import dev.ohhell.v1.ConnectResponse;
import dev.ohhell.v1.PlayRequest;
import dev.ohhell.v1.PlayResponse;
import io.grpc.protobuf.ProtoUtils;

/** The two calls between bots and the service: whoever makes it, their frames are the same. */
final class Calls {
  static final String BOT_SERVICE = "ohhell.v1.BotService";

  static final io.grpc.MethodDescriptor<ConnectRequest, ConnectResponse> CONNECT =
      of("ArenaService", ConnectRequest.getDefaultInstance(), ConnectResponse.getDefaultInstance());
  static final io.grpc.MethodDescriptor<PlayRequest, PlayResponse> PLAY =
      of("BotService", PlayRequest.getDefaultInstance(), PlayResponse.getDefaultInstance());

  private Calls() {}

  private static <Q extends Message, A extends Message> io.grpc.MethodDescriptor<Q, A> of(
      String service, Q request, A response) {
    MethodDescriptor method = Arena.getDescriptor().findServiceByName(service).getMethods().get(0);
    return io.grpc.MethodDescriptor.<Q, A>newBuilder()
        .setType(io.grpc.MethodDescriptor.MethodType.BIDI_STREAMING)
        .setFullMethodName(
            io.grpc.MethodDescriptor.generateFullMethodName(
                method.getService().getFullName(), method.getName()))
        .setRequestMarshaller(ProtoUtils.marshaller(request))
        .setResponseMarshaller(ProtoUtils.marshaller(response))
        .build();
  }
}
