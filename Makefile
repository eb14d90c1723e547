# Everything a fresh machine needs: Python 3.11 or newer, make and git.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PYTEST_WORKERS ?= auto

.PHONY: help setup run test lint format bench clean
.DEFAULT_GOAL := help

help:  ## show this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: $(STAMP)  ## create .venv with everything to run and develop

$(STAMP): pyproject.toml
	test -d $(VENV) || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

run: setup  ## open the dashboard at http://localhost:8501
	$(BIN)/langmarl dashboard

test: setup  ## run the whole test suite
	scripts/install_system_packages.sh
	$(BIN)/python -m pytest -n $(PYTEST_WORKERS)

lint: setup  ## style, types, layers, known vulnerabilities of dependencies
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python scripts/audit_dependencies.py

format: setup  ## rewrite the code in the project's style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: setup  ## print the figures of every benchmark but learning_local, which takes hours
	for program in $(filter-out %/learning_local.py,$(wildcard benchmarks/[a-z]*.py)); do echo "== $$program"; $(BIN)/python $$program || exit 1; done

clean:  ## remove what was built
	rm -rf $(VENV) dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache htmlcov .coverage
