"""A name for what has no useful static type at the border to gRPC and protobuf.

Enum fields of messages want wrapped integers, and the handlers and contexts of
`grpc.aio` are annotated loosely or not at all; everywhere else types are strict.
"""

from typing import Any, TypeAlias

Untyped: TypeAlias = Any
