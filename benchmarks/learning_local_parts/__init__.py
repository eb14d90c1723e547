"""The parts of ``benchmarks/learning_local.py``: settings, files of questions, playing, figures."""
