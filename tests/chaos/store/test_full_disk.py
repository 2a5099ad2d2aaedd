"""A file that may not grow any more: the commit fails by name, nothing is torn."""

import subprocess
import sys
from pathlib import Path

from server.store import Store

WRITER = """
import resource, sys
from server.store import Store, StoreUnavailable

with Store(sys.argv[1]) as store:
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
    acknowledged = 0
    try:
        while True:
            store.log.append(1, b"%d" % acknowledged + b" " * 1000)
            store.log.commit()
            acknowledged += 1
    except StoreUnavailable as error:
        print(acknowledged, error.reason)
"""


def test_what_was_acknowledged_before_the_disk_was_full_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    command = (sys.executable, "-c", WRITER, str(path))
    writer = subprocess.run(command, capture_output=True, text=True, check=True)
    acknowledged, reason = writer.stdout.split(maxsplit=1)
    assert "disk full" in reason
    with Store(path) as store:
        kept = store.log.payloads(1)
    assert int(acknowledged) > 10
    assert len(kept) >= int(acknowledged)
    assert [int(payload) for payload in kept] == list(range(len(kept)))
