"""The ``langmarl`` command."""

from langmarl.cli.app import main

__all__ = ["main"]
