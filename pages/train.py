"""Train: launch a run and control it."""

from dashboard.views import train

train.show()
