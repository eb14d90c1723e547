"""Configure: build a config without reading documentation."""

from dashboard.views import configure

configure.show()
