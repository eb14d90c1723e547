"""Live: watch a run."""

from dashboard.views import live

live.show()
