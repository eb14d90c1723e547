from __future__ import annotations

import os
import sys
from pathlib import Path

from langmarl.envs.sandbox.interpreter import running_interpreter


def test_the_interpreter_is_the_one_outside_the_virtual_environment():
    executable = running_interpreter().executable
    assert executable.is_file()
    assert executable.is_relative_to(Path(sys.base_prefix).resolve()) or executable.is_relative_to("/usr")


def test_no_shown_path_holds_a_home_or_this_project():
    project = Path(__file__).resolve().parents[3]
    interpreter = running_interpreter()
    for shown in (*interpreter.own_paths, *interpreter.system_paths):
        for private in (Path.home(), project, Path(sys.prefix) if sys.prefix != sys.base_prefix else project):
            assert not private.resolve().is_relative_to(shown.resolve())


def test_the_standard_library_is_shown_and_packages_beside_it_are_hidden():
    interpreter = running_interpreter()
    library = Path(os.__file__).resolve().parent
    assert any(library.is_relative_to(shown.resolve()) for shown in (*interpreter.own_paths, *interpreter.system_paths))
    if (library / "site-packages").is_dir():
        assert library / "site-packages" in interpreter.hidden_paths
