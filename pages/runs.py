"""Runs: everything at a glance."""

from dashboard.views import runs

runs.show()
