"""What all model calls of one run share: the journal, the usage so far, the limits, and the word to stop."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Literal, NamedTuple

from langmarl.errors import RunFailed, RunHalted
from langmarl.llm.troubles import troubles_of
from langmarl.store.journal import CallJournal, CallKey, CallRecord
from langmarl.usage import Phase, Role, Usage

_ITERATIONS_IN_MEMORY = 2
"""Replies are kept for this many iterations at once: the one at work, and the one evaluated beside it."""


_QUIET_S = 60.0
"""Between two words about one endpoint's rate limit."""


class _Place(NamedTuple):
    """What usage is summed by."""

    phase: Phase
    iteration: int
    role: Role
    model: str


class RunCalls:
    """Everything a run's model calls share. Thread-safe.

    Usage is what the journal holds: it is read once, here, and then kept up to date by :meth:`record`. Calls that a
    forced restart set aside were paid for: they count towards the limits and the totals of the run.

    Args:
        journal: The run's journal. This object is its only writer.
        max_cost_usd: No new call once the run's calls have cost this much, in US dollars; None: no limit.
        max_total_tokens: No new call once the run's calls have used this many tokens, input and output together;
            None: no limit.
        on_trouble: Told, in one line, of each thing that went wrong with a finished call; from any thread.

    Raises:
        UserMistake: The journal is damaged or from a newer LangMARL.
    """

    def __init__(
        self,
        journal: CallJournal,
        *,
        max_cost_usd: float | None = None,
        max_total_tokens: int | None = None,
        on_trouble: Callable[[str], None] | None = None,
    ) -> None:
        self._journal = journal
        self._max_cost_usd = max_cost_usd
        self._max_total_tokens = max_total_tokens
        self._on_trouble = on_trouble or (lambda _: None)
        self._lock = threading.RLock()
        self._stop = threading.Event()
        self._halted: RunHalted | None = None
        self._next_word: dict[str, float] = {}
        self._usage: dict[_Place, Usage] = {}
        self._set_aside: dict[_Place, Usage] = {}
        self._spent_usd = 0.0
        self._spent_tokens = 0
        self._replies: OrderedDict[int, dict[CallKey, CallRecord]] = OrderedDict()
        for iteration in journal.iterations():
            for record in journal.read(iteration):
                self._count(self._usage, record)
        for record in journal.read_set_aside():
            self._count(self._set_aside, record)

    @property
    def halted(self) -> RunHalted | None:
        """Why no call is admitted any more; None while the run goes on."""
        return self._halted

    def halt(self, state: Literal["stopped", "budget_reached"], reason: str) -> None:
        """From now on admit nothing and end every wait; the first halt is the one that counts.

        Args:
            state: ``"stopped"`` or ``"budget_reached"``.
            reason: One sentence for the user.
        """
        with self._lock:
            if self._halted is None:
                self._halted = RunHalted(state, reason)
        self._stop.set()

    def check(self) -> None:
        """Do nothing while the run goes on.

        Raises:
            RunHalted: The run was halted.
        """
        halted = self._halted
        if halted is not None:
            # A fresh exception each time: one object raised in many threads would collect all their tracebacks.
            raise RunHalted(halted.state, halted.reason)

    def admit(self) -> None:
        """Let one new call start.

        A call that is in flight is not taken back, so with W calls at once a limit is overshot by W calls at most.

        Raises:
            RunHalted: The run was halted, or a limit is reached.
        """
        self.check()
        self._halt_at_limit()
        self.check()

    def wait(self, seconds: float) -> None:
        """Sleep, unless the run is halted meanwhile.

        Raises:
            RunHalted: The run was halted before or during the wait.
        """
        self._stop.wait(max(0.0, seconds))
        self.check()

    def rate_limited(self, address: str, pause_s: float) -> None:
        """An endpoint asked for a pause: say so at once, and then once a minute while it lasts.

        Args:
            address: The endpoint.
            pause_s: The pause, in seconds.
        """
        with self._lock:
            now = time.monotonic()
            if now < self._next_word.get(address, 0.0):
                return
            self._next_word[address] = now + _QUIET_S
        self._on_trouble(f"{address} limits the rate; calls to it wait, and the next is tried in {pause_s:.0f} s")

    def recall(self, key: CallKey, digest: str) -> CallRecord | None:
        """The reply already paid for; None where the call must be made.

        Args:
            key: Which call of the run.
            digest: Of what is asked now: a reply to another question is no reply to this one.

        Raises:
            UserMistake: The journal is damaged.
        """
        with self._lock:
            record = self._replies_of(key.iteration).get(key)
        return record if record is not None and record.digest == digest else None

    def record(self, record: CallRecord) -> None:
        """Journal a finished call, then count it; halts the run where it reaches a limit.

        Raises:
            RunFailed: The journal cannot be written: without it, what is paid for would be lost.
        """
        try:
            self._journal.append(record)
        except OSError as error:
            raise RunFailed(
                f"the journal of model calls cannot be written: {error}.",
                "Make room, or mend the folder's permissions, and run the same command again.",
            ) from error
        for trouble in troubles_of(record):
            self._on_trouble(trouble)
        with self._lock:
            if record.reply is not None and record.key.iteration in self._replies:
                self._replies[record.key.iteration][record.key] = record
            self._count(self._usage, record)
        self._halt_at_limit()

    def usage(self, *, phase: Phase | None = None, iteration: int | None = None) -> dict[Role, Usage]:
        """Usage by role; roles without a call are left out.

        Args:
            phase: Only this phase; None: both.
            iteration: Only this iteration; None: all. With both None, what was set aside is included.
        """
        result: dict[Role, Usage] = {}
        for place, usage in self._selected(phase, iteration):
            result[place.role] = result.get(place.role, Usage()) + usage
        return result

    def usage_by_model(self, *, phase: Phase | None = None, iteration: int | None = None) -> dict[str, Usage]:
        """Usage by the model's name as sent to its endpoint; arguments as for :meth:`usage`."""
        result: dict[str, Usage] = {}
        for place, usage in self._selected(phase, iteration):
            result[place.model] = result.get(place.model, Usage()) + usage
        return result

    def _selected(self, phase: Phase | None, iteration: int | None) -> list[tuple[_Place, Usage]]:
        with self._lock:
            entries = list(self._usage.items())
            if phase is None and iteration is None:
                return entries + list(self._set_aside.items())
        return [
            (place, usage)
            for place, usage in entries
            if phase in (None, place.phase) and iteration in (None, place.iteration)
        ]

    def _count(self, sums: dict[_Place, Usage], record: CallRecord) -> None:
        place = _Place(record.key.phase, record.key.iteration, record.key.role, record.model)
        sums[place] = sums.get(place, Usage()) + record.usage
        self._spent_usd += record.usage.cost_usd or 0.0
        self._spent_tokens += record.usage.total_tokens

    def _halt_at_limit(self) -> None:
        if self._max_cost_usd is not None and self._spent_usd >= self._max_cost_usd:
            limit = f"{self._max_cost_usd:.2f}" if self._max_cost_usd >= 0.01 else f"{self._max_cost_usd:g}"
            self.halt("budget_reached", f"max_cost_usd {limit} reached: spent {self._spent_usd:.4f}")
        if self._max_total_tokens is not None and self._spent_tokens >= self._max_total_tokens:
            self.halt("budget_reached", f"max_total_tokens {self._max_total_tokens} reached: used {self._spent_tokens}")

    def _replies_of(self, iteration: int) -> dict[CallKey, CallRecord]:
        """Replies of one iteration by key; of several under one key, the last."""
        if iteration not in self._replies:
            records = self._journal.read(iteration)
            self._replies[iteration] = {record.key: record for record in records if record.reply is not None}
            while len(self._replies) > _ITERATIONS_IN_MEMORY:
                self._replies.popitem(last=False)
        return self._replies[iteration]
