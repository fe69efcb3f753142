# Every target sets up .venv once, and reuses it until a pin changes. The only requirements are Python 3.11 and make.

PYTHON ?= $(or $(shell command -v python3.11),python3)
ALLENNLP := allennlp==2.10.1 allennlp-models==2.10.1
BIN := .venv/bin
PINS := $(shell (echo $(ALLENNLP); cat requirements*.txt pyproject.toml ner_zoo_hook.*; grep __version__ ner_zoo/__init__.py) | cksum | cut -d' ' -f1)
RUN := .venv/ready-to-run-$(PINS)
DEV := .venv/ready-to-develop-$(PINS)
export OMP_NUM_THREADS ?= 1
# Prints a dot for each package that pip looks at, so that a slow connection does not look like a hang. Warnings of pip go
# to a file, and to the screen if pip fails.
COMPLAINTS := .venv/pip-complaints.txt
DOTS := while read -r word _; do case $$word in Collecting|Downloading|Installing|Building) printf .;; esac; done; echo
PIP = install() { \
	$(BIN)/python -m pip install --disable-pip-version-check --progress-bar off "$$@" 2> $(COMPLAINTS) | { $(DOTS); } \
	|| { grep -v '^WARNING: ' $(COMPLAINTS); exit 1; } >&2; \
	}; install
SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c

.DEFAULT_GOAL := help
.PHONY: help demo test check format lint types bench results pretrained docs clean

help:  ## list the targets
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/:[^#]*## /	/' | expand -t 10

demo: $(RUN)  ## train on the bundled corpus, evaluate, and mark entities in a few texts
	$(BIN)/allennlp train training_config/demo.jsonnet -s out/demo --force
	$(BIN)/allennlp evaluate out/demo/model.tar.gz fixtures/demo/test.jsonl --output-file out/demo/test.json
	$(BIN)/allennlp predict out/demo/model.tar.gz fixtures/demo/raw.txt --output-file out/demo/raw.jsonl --silent
	$(BIN)/allennlp predict wnut17 fixtures/demo/everyday.txt --output-file out/demo/everyday.jsonl --silent
	@$(BIN)/python fixtures/demo/show.py out/demo/raw.jsonl out/demo/everyday.jsonl

test: $(DEV)  ## run the tests
	$(BIN)/pytest

check: format lint types test  ## run everything that must pass before a commit: format, lint, types, tests

format: $(DEV)
	$(BIN)/ruff format --check

lint: $(DEV)
	$(BIN)/ruff check

types: $(DEV)
	$(BIN)/mypy

bench: $(DEV)  ## compare speed and memory with other implementations
	$(BIN)/python -m benchmarks

results: $(DEV)  ## try every comparison of docs/results.md in minutes; FULL=1 repeats all measurements
	$(BIN)/python -m results $(if $(FULL),--full)

pretrained: $(DEV)  ## recreate the model that ships with ner_zoo, and check its scores
	$(BIN)/python -m results.pretrained wnut17

docs: $(DEV)  ## write the generated pages, and build docs/ into out/site
	$(BIN)/python -m results --only-write
	$(BIN)/python -m reference
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet --site-dir out/site

clean:  ## remove .venv and everything that was trained or measured
	rm -rf .venv out benchmarks/out .mypy_cache .pytest_cache .ruff_cache .hypothesis

# Two pip steps each: the pinned list, then AllenNLP without its requirements, and ner_zoo in editable mode.
$(RUN): REQUIREMENTS := requirements.txt
$(DEV): REQUIREMENTS := requirements-dev.txt
$(RUN) $(DEV):
	@echo "Setting up .venv; this happens once and takes a few minutes."
	@$(PYTHON) -m venv .venv
	@$(PIP) -r $(REQUIREMENTS)
	@$(PIP) --no-deps --no-build-isolation $(ALLENNLP) -e .
	@rm -f .venv/ready-to-*
	@touch $(RUN) $@
