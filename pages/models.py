"""Models: endpoints, prices and keys."""

from dashboard.views import models

models.show()
