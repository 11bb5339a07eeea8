"""The pages' JavaScript modules, run by the Node that Playwright brings along."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

from playwright._impl._driver import compute_driver_executable

STATIC = Path(__file__).parents[2] / "service/web/static"


def run_module(folder: Path, module: str, code: str, given: Any = None, *beside: str) -> Any:
    """What `code` prints as JSON, where `module` is the module of that file and `given` a value.
    `beside` are the modules that it imports."""
    for script in (module, "words", *beside):
        shutil.copy(STATIC / f"{script}.js", folder)
    (folder / "package.json").write_text('{"type": "module"}')
    head = f'import * as module from "./{module}.js";\nconst given = {json.dumps(given)};\n'
    (folder / "main.mjs").write_text(head + code)
    node = str(compute_driver_executable()[0])
    ran = subprocess.run(
        [node, "main.mjs"], cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)
