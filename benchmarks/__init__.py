"""Programs that print figures; each takes ``--json``."""
