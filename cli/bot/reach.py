"""Where bots are registered: in a store, or by the service that has it open."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from cli.exits import fail
from cli.operating import access_of
from cli.stores import require_store

if TYPE_CHECKING:
    from server.registry import RegisteredBot, Scope
    from server.store import Store


class Bots(Protocol):
    """What both can do."""

    def register(
        self, name: str, *, display_name: str, scopes: Collection[Scope]
    ) -> str: ...
    def issue(
        self,
        name: str,
        lane: int | None,
        *,
        scopes: Collection[Scope],
        valid_for: int | None,
        replace: bool,
    ) -> str: ...
    def revoke(self, name: str, prefix: str) -> None: ...
    def set_enabled(self, name: str, *, enabled: bool) -> None: ...
    def all(self) -> list[RegisteredBot]: ...


@contextlib.contextmanager
def reach(
    store: str, access: Path | None, *, may_be_new: bool = False
) -> Iterator[Bots]:
    """The bots of a store; ends the command where they cannot be reached.

    A store that no service has open is opened here. One that a service has open is
    changed by that service, so that it knows at once: `access` says how to reach it,
    and by default is the file that it keeps beside the store. A store is made only
    where it `may_be_new`.
    """
    from server.operator import AccessWrong
    from server.registry import BotRegistry, RegistrationRefused
    from server.rpc.operating import CannotOperate, operating
    from server.store import StoreError

    if access is None and not (may_be_new and store):
        require_store(store)
    try:
        opened = _opened(store) if access is None else None
        if opened is not None:
            with opened:
                yield BotRegistry(opened.bots)
        else:
            with operating(access_of(store, access)) as service:
                yield service.bots
    except (AccessWrong, CannotOperate, RegistrationRefused, StoreError) as error:
        fail(error)


def _opened(store: str) -> Store | None:
    """The store, unless a service has it open, or may have: a database by URL."""
    from server.store import Store, StoreInUse

    if "://" in store:
        return None
    try:
        return Store(store)
    except StoreInUse:
        return None
