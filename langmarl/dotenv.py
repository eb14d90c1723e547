"""Keys from a ``.env`` file."""

from __future__ import annotations

import os
from pathlib import Path

import dotenv


def load_dotenv_file() -> None:
    """Read ``.env`` in the working directory into the environment, unless ``LANGMARL_NO_DOTENV`` is ``1``.

    A variable that is set already keeps its value.
    """
    if os.environ.get("LANGMARL_NO_DOTENV") != "1":
        dotenv.load_dotenv(Path.cwd() / ".env", override=False)
