"""``langmarl train`` and ``langmarl resume``."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from langmarl.cli.exit_codes import OF_STATE
from langmarl.cli.options import EXPERIMENTS, Experiments, Json, Plugins, RunName
from langmarl.cli.plugins import import_plugins
from langmarl.cli.printing import complain, say_json
from langmarl.cli.progress import ProgressDisplay
from langmarl.cli.report import report, run_option
from langmarl.cli.selection import is_file, open_run
from langmarl.cli.signals import graceful_stop
from langmarl.config import BaseConfig, load_config
from langmarl.errors import LangMARLError, UserMistake
from langmarl.store import LocalStore

if TYPE_CHECKING:
    from langmarl.trainer import MonteCarloTrainer

Overrides = Annotated[
    list[str] | None,
    typer.Option(
        "--override",
        "-o",
        metavar="KEY=VALUE",
        help="Replace settings, for example -o num_iterations=3 actor_llm.temperature=0.7; repeatable.",
    ),
]
Positionals = Annotated[
    list[str] | None,
    typer.Argument(metavar="CONFIG|KEY=VALUE", help="The config file, and settings to replace."),
]
MoreOverrides = Annotated[
    list[str] | None, typer.Argument(metavar="KEY=VALUE", help="More settings to replace.", show_default=False)
]
ConfigOption = Annotated[Path | None, typer.Option("--config", "-c", metavar="FILE", help="The config file.")]
Fresh = Annotated[bool, typer.Option("--fresh", help="Start a new run even where one with the same settings exists.")]


def train(
    arguments: Positionals = None,
    config: ConfigOption = None,
    override: Overrides = None,
    fresh: Fresh = False,
    as_json: Json = False,
    plugins: Plugins = None,
) -> int:
    """Train a team, or go on with its run.

    The newest run of the same exp_name with the same settings goes on: an interrupted one from where it was, a
    finished one only if more iterations are asked for. Other settings, or --fresh, start a new run. Ctrl-C ends a
    run after the calls in flight; a second Ctrl-C ends it at once.

    Exit codes: 0 completed, 2 something to correct, 3 the run failed, 4 a budget was reached, 130 stopped.
    """
    with _reporting(as_json) as attempt:
        import_plugins(plugins)
        path, more = _config_and_overrides(arguments or [], config)
        loaded = load_config(path, [*(override or []), *more], to_run=True)
        return _train(attempt, loaded, LocalStore(loaded.experiment_dir), fresh=fresh)


def resume(
    run: RunName,
    arguments: MoreOverrides = None,
    experiments: Experiments = EXPERIMENTS,
    override: Overrides = None,
    as_json: Json = False,
    plugins: Plugins = None,
) -> int:
    """Go on with a run that ended early.

    For a run that was stopped or interrupted, that failed, or that reached its budget or is to have more iterations.
    Settings that cannot change the result may be replaced: num_iterations, max_workers, budgets, evaluation.

    Exit codes are those of train.
    """
    with _reporting(as_json) as attempt:
        import_plugins(plugins)
        directory = open_run(run, experiments)
        overrides = [*(override or []), *(arguments or [])]
        loaded = load_config(directory.layout.config, overrides, to_run=True)
        return _train(attempt, loaded, LocalStore(directory.path.parent), run_id=directory.run_id)


def _train(
    attempt: _Attempt, config: BaseConfig, store: LocalStore, *, fresh: bool = False, run_id: str | None = None
) -> int:
    from langmarl.trainer import make_trainer  # brings the whole library along, which --help does not need

    trainer = attempt.trainer = make_trainer(config, store=store)

    def stop(reason: str) -> None:
        trainer.request_stop(reason)
        print("stopping after the calls in flight; once more: at once …", file=sys.stderr)

    # An environment that prints must not come between --json and its reader.
    with (
        ProgressDisplay(config.num_iterations) as display,
        contextlib.redirect_stdout(sys.stderr),
        graceful_stop(stop),
    ):
        trainer.add_callback(display)
        summary = trainer.train(fresh=fresh, run_id=run_id)
    if attempt.as_json:
        say_json({**summary, "error": None})
    else:
        report(summary, iterations_run=display.iterations_run)
    return OF_STATE[summary["state"]]


def _config_and_overrides(arguments: list[str], config: Path | None) -> tuple[Path, list[str]]:
    """The config file and the overrides, in whatever order they were given."""
    overrides = [text for text in arguments if "=" in text and not is_file(Path(text))]
    files = [Path(text) for text in arguments if text not in overrides]
    if config is not None:
        files.insert(0, config)
    if not files:
        raise UserMistake("train needs a config file.", "For example: langmarl train configs/quickstart.json")
    if len(files) > 1:
        raise UserMistake(
            f"train takes one config file; there are {len(files)}: {', '.join(map(str, files))}.",
            "A setting to replace reads KEY=VALUE, without blanks around the sign.",
        )
    return files[0], overrides


@dataclass(slots=True)
class _Attempt:
    """How far a command came: with a trainer, there may be a run to report.

    Attributes:
        as_json: Whether a program reads standard output.
        trainer: The trainer; None before there is one.
    """

    as_json: bool
    trainer: MonteCarloTrainer | None = None


@contextlib.contextmanager
def _reporting(as_json: bool) -> Iterator[_Attempt]:
    """An error, too, leaves its report: one object with ``--json``, else where the run is; then it goes on its way."""
    attempt = _Attempt(as_json)
    try:
        yield attempt
    except (Exception, KeyboardInterrupt) as error:
        run = attempt.trainer.last_run if attempt.trainer else None
        if as_json:
            say_json(_failure(attempt.trainer, error))
        elif run is not None:
            complain(f"{run.run_id} is in {run.path}; to see what is there: langmarl show {run_option(run.path)}")
        raise


def _failure(trainer: MonteCarloTrainer | None, error: BaseException) -> dict[str, Any]:
    """The run as far as there is one, in the shape that a run in good order has."""
    reason, remedy = str(error) or type(error).__name__, None
    if isinstance(error, LangMARLError):
        reason, remedy = error.message, error.remedy
    summary: dict[str, Any] = {
        **dict.fromkeys(("run_id", "run_dir", "state")),
        "reason": reason,
        "remedy": remedy,
        "iterations": [],
        "evaluations": [],
        "best_checkpoint": None,
        "totals": {},
    }
    if trainer is not None and trainer.last_run is not None:
        from langmarl.trainer.summary import summarize

        with contextlib.suppress(UserMistake):  # its files are damaged, which is what the error says
            summary = summarize(trainer.last_run)
    return {**summary, "error": reason}
