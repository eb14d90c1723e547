"""Language tasks: questions, mathematics, code and writing, from the benchmarks' own files."""

from langmarl.envs.language.environment import LanguageEnvironment

__all__ = ["LanguageEnvironment"]
