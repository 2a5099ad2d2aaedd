from tests.e2e.bots.conftest import service

__all__ = ["service"]
