"""Watches a directory's disk, and asks the people on call what to delete when it is too full.

    python on_call.py DIRECTORY LIMIT_BYTES [EXPIRES_IN]

The first line is asked. When half of the time is over, the second line gets the question too (askback.toml). Whoever
answers first decides. If nobody does, nothing is deleted and the exit code is 3.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from askback import Askback, Declined, Expired, several


def size_of(path: Path) -> int:
    return sum(it.stat().st_size for it in [path, *path.rglob("*")] if it.is_file())


def main(directory: str, limit: str, expires_in: str = "30m") -> int:
    sizes = {it.name: size_of(it) for it in sorted(Path(directory).iterdir())}
    used = sum(sizes.values())
    if used <= int(limit):
        return 0
    choices = [{"label": f"{name} ({size} bytes)", "value": name} for name, size in sizes.items()]
    try:
        names = Askback(source="disk watch").ask(
            f"{directory} has {used} bytes, {limit} are allowed. What may be deleted?", several(*choices),
            header="Disk full", recipient="first-line", expires_in=expires_in, assumption="Nothing is deleted.",
        )  # fmt: skip
    except (Declined, Expired) as reason:
        print(f"nothing deleted: {reason.status}")
        return 3
    for name in names:
        path = Path(directory) / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    print(f"deleted {', '.join(names)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
