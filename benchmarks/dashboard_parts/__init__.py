"""The parts of ``benchmarks/dashboard.py``: the store that it fills, the server, the browser."""
