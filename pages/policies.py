"""Policies: see how each prompt evolved."""

from dashboard.views import policies

policies.show()
