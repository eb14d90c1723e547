"""Whom a config may send a key to, and which files it may name.

A config that comes through the browser may be somebody else's. It can name an endpoint and the environment variable
whose content is sent there as the key, and so ask for any secret of this process to be sent anywhere; and it can name
any file. So a key goes only to an endpoint that a preset names for it, or one that the user confirmed on this machine
for this key; and the paths of an imported config stay inside the working directory unless the user allows more. What
was confirmed is kept in a file of the user's own. Nothing here opens a connection or a named file.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pydantic import BaseModel

from dashboard.context import experiments_dir
from langmarl.config import BaseConfig, LLMConfig, load_config
from langmarl.config.presets import presets
from langmarl.errors import Fault, UserMistake
from langmarl.llm.endpoint import OPENAI_ADDRESS
from langmarl.llm.local.files import is_path
from langmarl.store import RunDirectory
from langmarl.store.atomic import write_text
from langmarl.store.clock import now_iso
from langmarl.store.lock import locked

HOME_VARIABLE = "LANGMARL_CONFIG_HOME"

_PATH_SUFFIXES = ("path", "paths", "dir", "dirs", "file", "files", "directory", "folder")
_NO_PATHS = frozenset({"exp_name", "env", "initial_policies"})
_OWN_FOLDERS = frozenset({"experiment_dir", "checkpoint_dir"})
"""These may also be inside the dashboard's own folder of runs."""
_LINK_OUT = "is a symbolic link out of the run directory; replace it with what it leads to, if that is yours."
_MOST_ENTRIES = 20_000
_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class KeyUse:
    """A key that would be sent to an endpoint.

    Attributes:
        base_url: The endpoint, in one spelling (lower-case host, no default port, no slash at the end).
        key_variable: The environment variable that holds the key.
        why: Why it must be confirmed, in words. Not compared.
    """

    base_url: str
    key_variable: str
    why: str = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KeyUse) and self._pair == other._pair

    def __hash__(self) -> int:
        return hash(self._pair)

    @property
    def _pair(self) -> tuple[str, str]:
        return (self.base_url, self.key_variable)

    @property
    def host(self) -> str:
        """The endpoint's host as the network knows it: letters that only look like others become visible."""
        return _ascii_host(urlsplit(self.base_url).hostname or "")


def key_use_of(llm_config: LLMConfig) -> KeyUse | None:
    """The key that a call of this model would send, and where to; None where none leaves this computer."""
    if llm_config.api_key is not None or llm_config.api_key_env_var is None:
        return None
    if llm_config.is_offline or llm_config.is_loopback:
        return None
    return KeyUse(normal_address(llm_config.base_url), llm_config.api_key_env_var)


def unconfirmed_use(llm_config: LLMConfig) -> KeyUse | None:
    """As :func:`key_use_of`, but only where the user still has to confirm it."""
    use = key_use_of(llm_config)
    if use is None or use in _named_by_presets() or use in confirmed_endpoints():
        return None
    return KeyUse(use.base_url, use.key_variable, _reason(use))


def unconfirmed_endpoints(config: BaseConfig) -> list[KeyUse]:
    """Every key that a run of ``config`` would send to an endpoint that nobody has confirmed; each once."""
    found = (unconfirmed_use(model) for model in models_of(config))
    return list(dict.fromkeys(use for use in found if use is not None))


def confirm(key_use: KeyUse) -> None:
    """Remember that this key may go to this endpoint.

    Raises:
        UserMistake: The user's folder of settings cannot be written.
    """
    entry = {"base_url": key_use.base_url, "key_variable": key_use.key_variable, "confirmed_at": now_iso()}
    _change(lambda kept: {**kept, "endpoints": [*_others(kept, key_use), entry]})


def withdraw(key_use: KeyUse) -> None:
    """Forget a confirmation; nothing happens where there is none. Raises as :func:`confirm`."""
    _change(lambda kept: {**kept, "endpoints": _others(kept, key_use)})


def confirmed_endpoints() -> list[KeyUse]:
    """What the user confirmed on this machine; nothing where the file cannot be read."""
    return [KeyUse(entry["base_url"], entry["key_variable"]) for entry in _entries(_kept(), "endpoints")]


@dataclass(frozen=True, slots=True)
class PathQuestion:
    """A path that an imported config names, and that needs the user's consent.

    Attributes:
        field: Dotted name of the setting.
        text: The path as the config has it.
        reason: Why consent is needed; follows the word "it".
        can_be_allowed: Whether consent helps; False where no file can be called so.
    """

    field: str
    text: str
    reason: str
    can_be_allowed: bool = True


def path_questions(config: BaseConfig) -> list[PathQuestion]:
    """The paths of an imported config that leave the working directory or name a dotfile; see :func:`allow_path`.

    Symbolic links are followed, also those inside a directory that is named. No message says what a file holds, or
    whether it is there.
    """
    found = (_question(field, text) for field, text in _named_paths(config))
    return [question for question in found if question is not None]


def path_faults(config: BaseConfig) -> list[Fault]:
    """The same as faults of the config."""
    return [Fault(question.field, question.reason) for question in path_questions(config)]


def allow_path(text: str) -> None:
    """Remember that imported configs may name this file or directory. Raises as :func:`confirm`."""
    path = str(_target(text))
    _change(lambda kept: {**kept, "paths": sorted({*_strings(kept.get("paths")), path})})


def allowed_paths() -> list[str]:
    """The paths that the user allowed on this machine: absolute, symbolic links followed."""
    return _strings(_kept().get("paths"))


def run_path_questions(run: RunDirectory) -> list[PathQuestion]:
    """As :func:`path_questions`, for a run directory: its config, and where its manifest keeps the checkpoints.

    Its ``experiment_dir`` is not asked about: a run goes on where it lies. A symbolic link that leads out of the
    directory cannot be allowed: going on would write there.

    Raises:
        UserMistake: The run cannot be read.
    """
    config = load_config(run.layout.config)
    questions = [question for question in path_questions(config) if question.field != "experiment_dir"]
    elsewhere = run.manifest.checkpoint_dir
    if elsewhere is not None and not any(question.field == "checkpoint_dir" for question in questions):
        questions.extend(question for question in [_question("checkpoint_dir", elsewhere)] if question is not None)
    link = next(links_out_of(run.path), None)
    if link is not None:
        questions.append(PathQuestion("run directory", link, _LINK_OUT, can_be_allowed=False))
    return questions


def links_out_of(directory: Path) -> Iterator[str]:
    """The symbolic links below a directory that lead out of it, by their path in it."""
    root = directory.resolve()
    for folder, folders, files in os.walk(root):
        for entry in (Path(folder) / name for name in (*folders, *files)):
            if entry.is_symlink() and not _stays_in(entry, root):
                yield str(entry.relative_to(root))


def require_endpoints(config: BaseConfig) -> None:
    """Refuse a config that would send a key to an endpoint that nobody confirmed.

    Raises:
        UserMistake: Names the endpoint and the variable; the remedy is the Train page.
    """
    questions = unconfirmed_endpoints(config)
    if questions:
        named = "; ".join(f"the key in {use.key_variable} to {use.base_url}" for use in questions)
        raise UserMistake(
            f"this config would send {named}, which nobody has confirmed on this machine.",
            "Choose it on the Train page: its checks ask whether the key may go there.",
        )


def require_run(run: RunDirectory) -> None:
    """Refuse to go on with a run directory whose config asks for more than was confirmed.

    Raises:
        UserMistake: An endpoint or a path is to be confirmed first, or the run cannot be read.
    """
    require_endpoints(load_config(run.layout.config))
    questions = run_path_questions(run)
    if questions:
        listing = "; ".join(f"{question.field} {question.reason}" for question in questions)
        raise UserMistake(
            f"the config of {run.run_id} names paths that need your consent: {listing}",
            "Choose the run on the Train page: its checks ask whether it may use them.",
        )


def models_of(settings: BaseModel) -> Iterator[LLMConfig]:
    """Every model that a config sets, at any depth."""
    for value in (getattr(settings, name) for name in type(settings).model_fields):
        yield from _models_in(value)


def normal_address(base_url: str | None) -> str:
    """One spelling for an endpoint's address; None stands for OpenAI's own."""
    parts = urlsplit(base_url or OPENAI_ADDRESS)
    host = _ascii_host(parts.hostname or "")
    shown_host = f"[{host}]" if ":" in host else host
    port = "" if parts.port in (None, _DEFAULT_PORTS.get(parts.scheme)) else f":{parts.port}"
    return f"{parts.scheme}://{shown_host}{port}{parts.path.rstrip('/')}"


def _models_in(value: Any) -> Iterator[LLMConfig]:
    if isinstance(value, LLMConfig):
        yield value
    elif isinstance(value, BaseModel):
        yield from models_of(value)
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _models_in(inner)
    elif isinstance(value, list | tuple | set):
        for inner in value:
            yield from _models_in(inner)


def _ascii_host(host: str) -> str:
    try:
        return host.rstrip(".").encode("idna").decode("ascii").lower()
    except UnicodeError:
        return host.encode("ascii", "backslashreplace").decode("ascii").lower()


@cache
def _named_by_presets() -> frozenset[KeyUse]:
    uses = (key_use_of(LLMConfig.from_preset(name)) for name in presets())
    return frozenset(use for use in uses if use is not None)


def _reason(use: KeyUse) -> str:
    known = {each.key_variable for each in _named_by_presets()}
    if use.key_variable not in known:
        return f"no preset uses the variable {use.key_variable}, so it may hold anything, also a secret of another kind"
    return f"no preset sends the key in {use.key_variable} to this address"


# Paths ---------------------------------------------------------------------------------------------------------------


def _named_paths(settings: BaseModel) -> Iterator[tuple[str, str]]:
    """Field and text of everything in a config that names, or may name, a file or directory."""
    for name in type(settings).model_fields:
        value = getattr(settings, name)
        if name in _NO_PATHS:
            continue
        yield from _paths_in(name, value, names_path=name.casefold().endswith(_PATH_SUFFIXES))


def _paths_in(field: str, value: Any, *, names_path: bool) -> Iterator[tuple[str, str]]:
    if isinstance(value, LLMConfig):
        if value.is_gguf and is_path(value.model_string):
            yield f"{field}.model_string", value.model_string
    elif isinstance(value, BaseModel):
        yield from ((f"{field}.{inner}", text) for inner, text in _named_paths(value))
    elif isinstance(value, Path):
        yield field, str(value)
    elif isinstance(value, str):
        if names_path or _leads_away(value):
            yield field, value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            named = names_path or str(name).casefold().endswith(_PATH_SUFFIXES)
            yield from _paths_in(f"{field}.{name}", inner, names_path=named)
    elif isinstance(value, list | tuple | set):
        for inner in value:
            yield from _paths_in(field, inner, names_path=names_path)


def _leads_away(text: str) -> bool:
    """Whether a text that no field's name calls a path still reads like one that leaves the working directory."""
    if "\n" in text or len(text) > 1000:
        return False
    return text.startswith(("/", "~", "\\")) or ".." in Path(text.replace("\\", "/")).parts


def _question(field: str, text: str) -> PathQuestion | None:
    try:
        target = _target(text)
        reason = None if str(target) in allowed_paths() else _why_consent(text, target, own=field in _OWN_FOLDERS)
    except (OSError, RuntimeError, ValueError):  # a loop of links, or a name that no file can have
        return PathQuestion(field, text, "is not a path that can be followed.", can_be_allowed=False)
    return None if reason is None else PathQuestion(field, text, reason)


def _why_consent(text: str, target: Path, *, own: bool) -> str | None:
    """Why a path needs consent; None where it needs none."""
    inside = [root for root in _roots(own) if target.is_relative_to(root)]
    if _names_dotfile(text) or (inside and _is_hidden(target.relative_to(inside[0]))):
        return "names a hidden file or directory, which an imported config may not use without your consent."
    if not inside or (not own and target.is_dir() and _leaves(target, inside[0])):
        return "leads out of the working directory, which an imported config may not without your consent."
    return None


def _target(text: str) -> Path:
    """The file that the library would open: the home directory and symbolic links followed."""
    path = Path(text)
    with contextlib.suppress(RuntimeError):  # "~nobody"
        path = path.expanduser()
    return (Path.cwd() / path).resolve()


def _roots(own_folder: bool) -> list[Path]:
    folders = [Path.cwd(), *([experiments_dir()] if own_folder else [])]
    return [folder.resolve() for folder in folders]


def _names_dotfile(text: str) -> bool:
    path = Path.cwd() / text.replace("\\", "/")
    named = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    return any(part.startswith(".") and part != ".." for part in named.parts)


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _stays_in(link: Path, root: Path) -> bool:
    try:
        return link.resolve().is_relative_to(root)
    except (OSError, RuntimeError):  # a loop of links
        return False


def _leaves(directory: Path, root: Path) -> bool:
    """Whether something below a directory leads out of ``root``; what is too large to look through counts so too."""
    seen = 0
    for folder, folders, files in os.walk(directory):
        seen += len(folders) + len(files)
        if seen > _MOST_ENTRIES:
            return True
        for name in (*folders, *files):
            entry = Path(folder) / name
            if entry.is_symlink() and not _stays_in(entry, root):
                return True
    return False


# What was confirmed --------------------------------------------------------------------------------------------------


def _home() -> Path:
    """The folder of the user's own settings of LangMARL."""
    own = os.environ.get(HOME_VARIABLE)
    if own:
        return Path(own).absolute()
    base = os.environ.get("XDG_CONFIG_HOME", "")
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".config") / "langmarl"


def _file() -> Path:
    return _home() / "confirmed_endpoints.json"


def _kept() -> dict[str, Any]:
    """What the file holds; nothing where it is missing or damaged: then everything is asked again."""
    try:
        data = json.loads(_file().read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _change(change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    try:
        _home().mkdir(parents=True, exist_ok=True, mode=0o700)
        with locked(_home() / ".lock"):
            text = json.dumps({"version": 1, **change(_kept())}, ensure_ascii=False, indent=2) + "\n"
            write_text(_file(), text)
    except OSError as error:
        raise UserMistake(
            f"{_file()} cannot be written: {error.strerror or error}.",
            f"Make it writable, or set {HOME_VARIABLE} to a folder that is.",
        ) from error


def _entries(kept: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    entries = kept.get(name)
    fields = ("base_url", "key_variable")
    found = entries if isinstance(entries, list) else []
    return [entry for entry in found if isinstance(entry, dict) and all(isinstance(entry.get(f), str) for f in fields)]


def _others(kept: Mapping[str, Any], key_use: KeyUse) -> list[dict[str, Any]]:
    entries = _entries(kept, "endpoints")
    return [entry for entry in entries if KeyUse(entry["base_url"], entry["key_variable"]) != key_use]


def _strings(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
