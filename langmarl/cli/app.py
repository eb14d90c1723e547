"""The command's entry: every command by name, and every error as a message and an exit code."""

from __future__ import annotations

import io
import sys
import traceback
from typing import Annotated

import typer
from typer.exceptions import TyperException

from langmarl.cli import catalogs, dashboard, diff, export, index, local_models, offline_server, runs, show, training
from langmarl.cli.exit_codes import ExitCode
from langmarl.cli.printing import complain
from langmarl.cli.signals import interrupt_on_sigterm
from langmarl.errors import LangMARLError, UserMistake

app = typer.Typer(
    name="langmarl",
    help="Train teams of LLM agents by rewriting their prompts.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _examples(*commands: str) -> str:
    """Examples as they stand below a command's help; the mark keeps the lines as they are."""
    return "\n".join(["\b", "Example:" if len(commands) == 1 else "Examples:", *(f"  {line}" for line in commands)])


app.command(
    "train",
    epilog=_examples(
        "langmarl train configs/quickstart.json",
        "langmarl train --config my.json --override num_iterations=8 llm.temperature=0.7",
        "langmarl train my.json --fresh --json > result.json",
    ),
)(training.train)
app.command(
    "resume",
    epilog=_examples("langmarl resume latest", "langmarl resume quickstart_20260301_120000 -o max_cost_usd=5"),
)(training.resume)
app.command("runs", epilog=_examples("langmarl runs", "langmarl runs --state failed --state interrupted --json"))(
    runs.list_runs
)
app.command("show", epilog=_examples("langmarl show latest", "langmarl show latest --checkpoint best --agent agent_1"))(
    show.show
)
app.command("diff", epilog=_examples("langmarl diff latest", "langmarl diff latest 2 best --agent agent_2"))(diff.diff)
app.command("stop", epilog=_examples("langmarl stop latest --wait 60"))(runs.stop)
app.command(
    "export",
    epilog=_examples("langmarl export latest --checkpoint best", "langmarl export latest --output team.zip"),
)(export.export)
app.command("dashboard", epilog=_examples("langmarl dashboard", "langmarl dashboard --port 8600 --no-browser"))(
    dashboard.dashboard
)
_models = typer.Typer(rich_markup_mode=None)
_models.callback(
    invoke_without_command=True,
    epilog=_examples("langmarl models", "langmarl models | grep mini", "langmarl models pull qwen2.5-coder-0.5b"),
)(catalogs.models)
_models.command(
    "pull",
    epilog=_examples("langmarl models pull qwen2.5-coder-0.5b", "langmarl models pull qwen2.5-coder-1.5b --force"),
)(local_models.pull)
_models.command("list", epilog=_examples("langmarl models list", "langmarl models list --json"))(
    local_models.list_files
)
app.add_typer(_models, name="models")
app.command("envs", epilog=_examples("langmarl envs", "langmarl envs --import my_game"))(catalogs.envs)
app.command("index", epilog=_examples("langmarl index --rebuild"))(index.index)
app.command("serve-offline", epilog=_examples("langmarl serve-offline --port 8765 --latency-ms 200 --fault-rate 0.05"))(
    offline_server.serve_offline
)


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        from importlib.metadata import version as installed

        print(f"langmarl {installed('langmarl')}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help(), file=sys.stderr)
        raise typer.Exit(ExitCode.USER_MISTAKE)


def main() -> None:
    """Run the command line and exit: 0 completed, 2 user's mistake, 3 failed, 4 budget reached, 130 stopped."""
    sys.exit(_run())


def _run() -> int:
    interrupt_on_sigterm()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a character that the terminal lacks is no reason to fail
    try:
        return int(app(prog_name="langmarl", standalone_mode=False) or 0)
    except TyperException as error:
        _explain_usage(error)
        return ExitCode.USER_MISTAKE
    except (typer.Abort, KeyboardInterrupt):
        return ExitCode.STOPPED
    except SystemExit as end:
        # With 1, Typer and Rich say that the reader of our output, `head` for example, has seen enough.
        return ExitCode.COMPLETED if end.code == 1 else int(end.code or 0)
    except LangMARLError as error:
        complain(str(error))
        return ExitCode.USER_MISTAKE if isinstance(error, UserMistake) else ExitCode.FAILED
    except OSError as error:  # a full disk, a folder without permission
        complain(f"The system refused: {error}\nWhat was finished is kept.")
        return ExitCode.FAILED
    except Exception:
        complain("A fault in LangMARL or in a plugin. What was finished is kept. Please report it with this trace:")
        traceback.print_exc()
        return ExitCode.FAILED


def _explain_usage(error: TyperException) -> None:
    """What is wrong with the command line, and how the command is used."""
    complain(error.format_message())
    context: typer.Context | None = getattr(error, "ctx", None)
    if context is not None:
        complain(f"{context.get_usage()}\nTry: {context.command_path} --help")
