# Needs Python 3.11 or newer, make and a C compiler. Everything else is installed into .venv by `make setup`.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory --no-builtin-rules

VENV := .venv
PYTHON := $(VENV)/bin/python
INSTALLED := $(VENV)/.installed
ARGS ?=

# Released wheels exist for the versions tried first; anything from 3.11 will do.
FIND_PYTHON = for candidate in $(BASE_PYTHON) python3.12 python3.13 python3.11 python3 python3.14 python; do \
	  "$$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && break; \
	  candidate=; \
	done; \
	if [ -z "$$candidate" ]; then \
	  echo "Veridical needs Python 3.11 or newer with its venv module: install it (Debian: apt-get install python3 python3-venv) or name it with BASE_PYTHON=/path/to/python." >&2; \
	  exit 1; \
	fi

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: setup
setup: $(INSTALLED) ## Install everything into .venv (once; again when the locked versions change)

# All output goes to stderr and nothing is read: `printf '…' | make -s chat` keeps its two streams to itself.
$(INSTALLED): requirements.lock pyproject.toml setup.py
	@set -e; $(FIND_PYTHON); \
	exec </dev/null >&2; \
	echo "Setting up $(VENV) with $$("$$candidate" --version) (once, a few minutes) …"; \
	$(PYTHON) -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || "$$candidate" -m venv --clear $(VENV); \
	$(PYTHON) -m pip install -qq --disable-pip-version-check --require-hashes -r requirements.lock; \
	$(PYTHON) -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --no-index -e .; \
	touch $@

.PHONY: chat
chat: $(INSTALLED) ## Chat with the agent, at a terminal or from standard input
	@exec $(VENV)/bin/veridical chat $(ARGS)

.PHONY: test
test: format-check lint types ## Check everything and run the whole test suite
	@$(PYTHON) -m pytest -n 2 -m "not long" $(ARGS)

.PHONY: coverage
coverage: ## Run `make test` with the branch coverage gate, which takes half as long again
	@$(MAKE) test ARGS="--cov --cov-report=term-missing:skip-covered $(ARGS)"

.PHONY: test-long
test-long: $(INSTALLED) ## Run the tests that take long
	@$(PYTHON) -m pytest -n 2 -m long $(ARGS)

.PHONY: check
check: format-check lint types ## Check format, lint, types, layers and the house gates
	@$(PYTHON) -m pytest -q tests/test_house.py

.PHONY: format
format: $(INSTALLED) ## Format the code and apply the safe fixes of the linter
	@$(PYTHON) -m ruff check --quiet --fix-only .
	@$(PYTHON) -m ruff format .

.PHONY: format-check
format-check: $(INSTALLED)
	@$(PYTHON) -m ruff format --check --quiet . || { echo "Some files are not formatted: run \`make format\`." >&2; exit 1; }

.PHONY: lint
lint: $(INSTALLED)
	@$(PYTHON) -m ruff check --quiet .

.PHONY: types
types: $(INSTALLED)
	@$(PYTHON) -m mypy --no-error-summary

.PHONY: bench
bench: $(INSTALLED) ## Measure turn times, ingest rate, start-up and memory (reported, never asserted)
	@$(PYTHON) bench/run.py $(ARGS)

.PHONY: eval
eval: $(INSTALLED) ## Measure recall, answers and refusals on the bundled dialogues (ARGS="--json", ARGS="--report out.html")
	@exec $(VENV)/bin/veridical eval run jsonl --dataset evals/bundled $(ARGS)

.PHONY: reference
reference: $(INSTALLED) ## Write docs/reference from docstrings, commands, routes and settings
	@$(PYTHON) docs/reference/generate.py

.PHONY: notebook
notebook: $(INSTALLED) ## Open the notebooks (adds Jupyter to .venv)
	@$(PYTHON) -c 'import jupyterlab' 2>/dev/null || $(PYTHON) -m pip install -qq --disable-pip-version-check --no-build-isolation -e '.[notebook]' >&2
	@$(PYTHON) -m jupyterlab --notebook-dir=notebooks $(ARGS)

.PHONY: lock
lock: ## Write requirements.lock anew from pyproject.toml (needs uv)
	@command -v uv >/dev/null || { echo "make lock needs uv: pip install uv." >&2; exit 1; }
	@set -e; compile="uv pip compile --quiet --generate-hashes --no-emit-index-url --no-header --no-annotate --universal \
	  --python-version 3.11 pyproject.toml"; \
	$$compile --extra dev --extra service --extra postgres --extra mcp -o requirements.lock; \
	$$compile --extra server -o requirements-server.lock

.PHONY: clean
clean: ## Remove .venv and everything generated (never the data)
	@rm -rf $(VENV) build dist *.egg-info .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
