"""The HTTP listener: metrics, liveness and readiness, from a thread of its own.

A scrape takes milliseconds, which the event loop does not have.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"
PLAIN = "text/plain; charset=utf-8"


class HealthListener:
    """Serves until closed; port 0 takes a free one."""

    def __init__(
        self,
        host: str,
        port: int,
        *,
        metrics: Callable[[], bytes],
        is_ready: Callable[[], bool],
    ) -> None:
        def answer(path: str) -> tuple[HTTPStatus, str, bytes]:
            match path.partition("?")[0]:
                case "/metrics":
                    return HTTPStatus.OK, METRICS_TYPE, metrics()
                case "/healthz":
                    return HTTPStatus.OK, PLAIN, b"ok\n"
                case "/readyz" if is_ready():
                    return HTTPStatus.OK, PLAIN, b"ready\n"
                case "/readyz":
                    return HTTPStatus.SERVICE_UNAVAILABLE, PLAIN, b"not ready\n"
                case _:
                    text = b"try /metrics, /healthz or /readyz\n"
                    return HTTPStatus.NOT_FOUND, PLAIN, text

        class Handler(BaseHTTPRequestHandler):
            timeout = 10
            server_version = "ohhell"
            sys_version = ""

            def do_GET(self) -> None:
                status, content_type, body = answer(self.path)
                self.send_response(status)
                self.send_header("Content-Type", content_type)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_args: object) -> None:
                """Scrapes are not worth a line."""

        ThreadingHTTPServer.daemon_threads = True
        self._server = ThreadingHTTPServer((host, port), Handler)
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(
            # Looks this often whether it is to close: a stop is not to wait for it.
            target=partial(self._server.serve_forever, poll_interval=0.05),
            name="health",
            daemon=True,
        )
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
