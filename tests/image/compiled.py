"""Run in the image: is every compiled module the one that is imported?"""

import importlib
import importlib.util
import sys
from pathlib import Path

COMPILED = Path("/opt/ohhell/compiled")
INSTALLED = Path(sys.prefix, "lib").glob("python3*/site-packages/engine/**/*.py")

imported = 0
for path in sorted(COMPILED.glob("*/**/*.so")):
    parts = path.relative_to(COMPILED).parent.parts
    name = ".".join([*parts, path.name.partition(".")[0]])
    module = importlib.import_module(name)
    if module.__file__ != str(path):
        sys.exit(f"{name} comes from {module.__file__}, not from {path}")
    imported += 1

sources = [path for path in INSTALLED if path.name != "__init__.py"]
if not sources or imported < len(sources):
    sys.exit(f"{imported} modules are compiled, the engine has {len(sources)}")
print(f"{imported} compiled modules")
