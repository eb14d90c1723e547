"""Prompt templates and the sections that requests are made of."""

from langmarl.prompts.sections import Section, find, wrap
from langmarl.prompts.templates import PLACEHOLDERS, Prompt, PromptTemplates, load_templates

__all__ = ["PLACEHOLDERS", "Prompt", "PromptTemplates", "Section", "find", "load_templates", "wrap"]
