"""Feedback: see what the critic saw."""

from dashboard.views import feedback

feedback.show()
