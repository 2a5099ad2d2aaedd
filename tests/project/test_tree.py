"""The tree is the same wherever it lies."""

from pathlib import Path

from server.config import StoreSettings, access_file_of
from tests.project.tree import ROOT, text_files


def test_no_file_names_a_place_of_this_machine() -> None:
    places = {str(ROOT), str(Path.home())} - {"/"}
    found = [
        f"{path.relative_to(ROOT)}: {place}/"
        for path, text in text_files()
        for place in places
        if f"{place}/" in text
    ]
    assert not found


def test_text_ends_its_lines_alike() -> None:
    found = [
        str(path.relative_to(ROOT))
        for path, text in text_files()
        if text and (not text.endswith("\n") or "\r" in text)
    ]
    assert not found


def test_what_a_service_writes_where_it_is_started_is_never_committed() -> None:
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    store = StoreSettings().where
    assert f"/{store}*" in ignored
    for where in (store, "", "postgresql://host/tables"):
        access = access_file_of(where)
        assert f"/{access}" in ignored or access.startswith(store)
