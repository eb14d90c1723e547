"""The training loop."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from langmarl.callbacks import Callback, Callbacks
from langmarl.collector import (
    IterationCollector,
    IterationOutcome,
    IterationRecords,
    Learner,
    Listeners,
    Reversion,
    evaluate_checkpoint,
)
from langmarl.config import BaseConfig
from langmarl.critic import BaseCritic
from langmarl.envs import BaseEnvironment, BaseReward
from langmarl.optimizer import BaseOptimizer
from langmarl.policy import initial_policies
from langmarl.store import LocalStore, RunDirectory
from langmarl.trainer.identity import choose_run
from langmarl.trainer.session import RunSession
from langmarl.trainer.stats import evaluation_stats, iteration_stats
from langmarl.trainer.summary import summarize
from langmarl.trainer.task_plan import TaskPlanner, held_out_shortage
from langmarl.trainer.update_rule import RULES, rewards_by_policies


class MonteCarloTrainer:
    """Trains a team by whole episodes: act, judge, turn judgements into notes, rewrite the policies.

    One trainer is used by one thread; :meth:`request_stop` may be called from any.

    Args:
        config: The run's config.
        env: Draws tasks and scores episodes; each concurrent rollout gets a clone.
        critic: Assigns credit.
        optimizer: Writes notes and policies.
        reward_fn: Replaces the environment's reward.
        store: Where runs are kept; None: ``config.experiment_dir``.
        callbacks: Told at each milestone; None: none.

    Attributes:
        last_run: The run that was opened last; None before any was.
        log_to_console: Whether the run's log goes to stderr as well as to its file; set it before training.
    """

    def __init__(
        self,
        config: BaseConfig,
        env: BaseEnvironment,
        critic: BaseCritic,
        optimizer: BaseOptimizer,
        reward_fn: BaseReward | None = None,
        store: LocalStore | None = None,
        callbacks: Iterable[Callback] | None = None,
    ) -> None:
        self.config = config
        self.env = env
        self.store = store or LocalStore(config.experiment_dir)
        self._listeners = list(callbacks or ())
        self._callbacks = Callbacks((), lambda *_: None)
        self._reward_fn = reward_fn
        self._learner = Learner(
            critic,
            optimizer,
            env,
            shared=config.paradigm == "central_global",
            max_policy_chars=config.max_policy_chars,
        )
        self.last_run: RunDirectory | None = None
        self.log_to_console = True
        self._session: RunSession | None = None
        # Outlives a session: the environment's draws go on where they were, and are not made a second time.
        self._planner: TaskPlanner | None = None
        self._ending: str | None = None
        self._stop_asked: str | None = None

    # what a user or a callback may ask

    @property
    def policies(self) -> dict[str, str]:
        """The policies that the next iteration acts under, by agent; after training, the last ones."""
        return self._session.policies if self._session else self._opened_run.checkpoints.get_policies()

    @property
    def history(self) -> list[dict[str, Any]]:
        """The stats of every finished iteration of the run, earlier processes' included."""
        return self._opened_run.metrics.iterations()

    @property
    def session(self) -> RunSession:
        """The run that is open now.

        Raises:
            RuntimeError: No run is open: training has not begun, or has ended.
        """
        if self._session is None:
            raise RuntimeError("no run is open; call train() first, or use this from a callback")
        return self._session

    @property
    def _opened_run(self) -> RunDirectory:
        if self.last_run is None:
            raise RuntimeError("no run was opened yet; call train() first")
        return self.last_run

    def add_callback(self, callback: Callback) -> None:
        """Tell one more callback, from the next :meth:`train` on."""
        self._listeners.append(callback)

    def stop(self, reason: str) -> None:
        """End the run, completed, after the iteration in progress."""
        self._ending = reason

    def request_stop(self, reason: str = "asked to stop") -> None:
        """End the run after the calls in flight, to be resumed later. Safe to call from any thread."""
        self._stop_asked = reason
        session = self._session
        if session is not None:
            session.calls.halt("stopped", reason)

    # the loop

    def train(
        self, num_iterations: int | None = None, *, fresh: bool = False, run_id: str | None = None
    ) -> dict[str, Any]:
        """Train until the run has ``num_iterations`` iterations, going on from what earlier processes finished.

        Args:
            num_iterations: A total, earlier iterations included; None: the config's.
            fresh: Start a new run even where one with the same settings exists.
            run_id: Go on with exactly this run.

        Returns:
            ``run_id``, ``run_dir``, ``state`` (``completed``, ``stopped`` or ``budget_reached``), ``reason``,
            ``iterations`` (the stats of all), ``evaluations``, ``best_checkpoint`` and ``totals``.

        Raises:
            ConfigError: ``eval_tasks`` is set and the environment holds no task out; there is no run then.
            UserMistake: Something only the user can mend; the run, if it had begun, is ``failed`` and can be resumed.
            RunFailed: Fewer than half of an iteration's episodes could be played; likewise.
        """
        total = num_iterations or self.config.num_iterations
        with self._session_of(fresh=fresh, run_id=run_id) as session:
            session.check()
            if session.next_iteration >= total:
                session.log.info(f"nothing to do: all {total} iterations are finished")
            self._evaluate_if_due(total)
            while session.next_iteration < total and self._ending is None:
                self.train_one_iteration(session.next_iteration)
                self._evaluate_if_due(total)
            session.complete(self._ending)
        return summarize(session.run)

    def train_one_iteration(self, i: int) -> dict[str, Any]:
        """Collect, learn, commit: one iteration under checkpoint ``i``, which writes checkpoint ``i + 1``.

        Called outside :meth:`train` it opens the run of this config and lets it go again.

        Returns:
            The iteration's stats, see :func:`langmarl.trainer.stats.iteration_stats`.

        Raises:
            UnknownNameError: Iteration ``i`` is not the run's next one.
            RunHalted: The run was asked to stop, or has reached a budget.
        """
        if self._session is None:
            with self._session_of() as alone:
                stats = self.train_one_iteration(i)
            alone.calls.check()  # a halt ends the block above in good order
            return stats
        session, started, before = self._session, time.monotonic(), self._session.policies
        session.check_turn(i)
        self._tell("on_iteration_start", i, self)
        outcome = self._collect(i)
        stats = iteration_stats(
            i,
            self.config.paradigm,
            outcome,
            session.calls.usage(phase="train", iteration=i),
            session.calls.usage_by_model(phase="train", iteration=i),
            time.monotonic() - started,
        )
        session.commit(i, self._policies_after(outcome), stats)
        self._tell_updates(outcome, before)
        self._tell("on_iteration_end", i, stats, self)
        return stats

    # phases

    def _collect(self, iteration: int) -> IterationOutcome:
        """Act → judge → gradient by episode, then aggregate → update by agent."""
        session = self.session
        collector = IterationCollector(
            self._planner_of(session.run).plan(iteration),
            session.policies,
            player=session.player,
            learner=self._learner,
            records=IterationRecords(session.run, iteration),
            calls=session.calls,
            schedule=session.schedule,
            update_rule=self._reversion,
            listeners=Listeners(
                episode=lambda trajectory: self._tell("on_episode_complete", trajectory, self),
                progress=lambda progress: self._tell("on_progress", progress, self),
            ),
        )
        return collector.collect()

    def _reversion(self, rewards: list[float]) -> Reversion | None:
        rule = RULES[self.config.update_rule]
        earlier = rewards_by_policies(self.history, self.session.policies_at, self.session.policies)
        return rule(earlier.others, [*earlier.own, *rewards])

    def _policies_after(self, outcome: IterationOutcome) -> dict[str, str]:
        if outcome.reverted_to is not None:
            self.session.log.warning(f"back to checkpoint {outcome.reverted_to}: {outcome.revert_reason}")
            return self.session.run.checkpoints.get_policies(outcome.reverted_to)
        for update in outcome.updates.values():
            if update.refused is not None:
                self.session.log.info(f"the update of {update.agent} was refused: {update.refused}")
        return {agent: outcome.updates[agent].policy for agent in self.session.policies}

    def _evaluate_if_due(self, total: int) -> None:
        """Play the held-out tasks under the present checkpoint, where that is due and has not been done."""
        session, checkpoint = self.session, self.session.next_iteration
        last = checkpoint >= total or self._ending is not None
        due = self.config.eval_tasks > 0 and (checkpoint % self.config.eval_every == 0 or last)
        if not due or session.has_evaluation(checkpoint):
            return
        started = time.monotonic()
        episodes = evaluate_checkpoint(
            checkpoint,
            self._planner_of(session.run).held_out(),
            session.policies,
            player=session.player,
            store=session.run.held_out,
            calls=session.calls,
            schedule=session.schedule,
            on_progress=lambda progress: self._tell("on_progress", progress, self),
        )
        usage = session.calls.usage(phase="eval", iteration=checkpoint)
        row = evaluation_stats(checkpoint, episodes, usage, time.monotonic() - started)
        session.commit_evaluation(row)
        self._tell("on_evaluation", checkpoint, row, self)

    # housekeeping

    @contextlib.contextmanager
    def _session_of(self, *, fresh: bool = False, run_id: str | None = None) -> Iterator[RunSession]:
        start = initial_policies(self.env.base_policies(), self.config.initial_policies)
        shortage = held_out_shortage(self.env, self.config)
        chosen = choose_run(self.store, self.config, self.env, fresh=fresh, run_id=run_id)
        self.last_run = chosen.run
        session = RunSession(
            chosen.run,
            self.config,
            self.env,
            self._reward_fn,
            start=start,
            notice=chosen.notice,
            console=self.log_to_console,
        )
        self._ending = None
        try:
            with session:
                self._callbacks = Callbacks(self._listeners, session.log_callback_failure)
                self._session = session
                if shortage is not None:
                    session.log.warning(shortage)
                if self._stop_asked is not None:
                    session.calls.halt("stopped", self._stop_asked)
                yield session
        finally:
            self._session = self._stop_asked = None

    def _planner_of(self, run: RunDirectory) -> TaskPlanner:
        if self._planner is None or self._planner.run.run_id != run.run_id:
            self._planner = TaskPlanner(self.env, self.config, run)
        return self._planner

    def _tell(self, event: str, *arguments: Any) -> None:
        self._callbacks.tell(event, *arguments)

    def _tell_updates(self, outcome: IterationOutcome, before: Mapping[str, str]) -> None:
        for agent, update in outcome.updates.items():
            if update.refused is None:
                self._tell("on_policy_update", agent, before[agent], update.policy)
