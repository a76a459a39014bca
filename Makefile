# Everything a person needs to run: make demo, make test. See README.md.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN_STAMP := $(VENV)/.run-$(shell cat requirements/run.lock requirements/build.lock pyproject.toml | sha256sum | cut -c1-16)
DEV_STAMP := $(VENV)/.dev-$(shell cat requirements/dev.lock pyproject.toml | sha256sum | cut -c1-16)
LM_STAMP := $(VENV)/.lm-$(shell cat requirements/lm.lock | sha256sum | cut -c1-16)
CHROMIUM := chromium-headless-shell chromium xvfb
APERTIUM := apertium-apy apertium-eng-spa apertium-eng-cat
# Tests run side by side, those of one file one after another: TEST_PROCESSES=0 is one by one.
# Two more than there are cores, because many of them wait. Files with many tests come first, in the
# order of tests/conftest.py: begun with the longest ones, which start servers and browsers, all of
# them wait for each other.
TEST_PROCESSES ?= $(shell expr $$(nproc) + 2)
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: help setup setup-dev setup-lm apertium chromium demo example test mutants soak rolling machines image check bench bench-short lock docs generated validation notebook pictures wheel dist clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

setup: $(RUN_STAMP)  ## create .venv with the pinned packages and this package (done once)

setup-dev: $(DEV_STAMP)

$(RUN_STAMP):
	@echo "setting up $(VENV) (a minute or so, once) ..."
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "monitor needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) install --require-hashes -r requirements/run.lock -r requirements/build.lock
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@rm -f $(VENV)/.run-*; touch $@

$(DEV_STAMP): $(RUN_STAMP)
	@echo "adding the development packages ..."
	@$(PIP) install --require-hashes -r requirements/dev.lock
	@rm -f $(VENV)/.dev-*; touch $@

demo: setup  ## ask a real translation engine 1,984 questions and write out/report.html
	@$(BIN)/monitor init .
	@$(BIN)/monitor run jobs/demo.toml
	@$(BIN)/monitor report --output out/report.html

example: setup-dev  ## 24 invented weeks to look around in: out/example (docs: README.md)
	@$(BIN)/python -m tests.example out/example

setup-lm: $(LM_STAMP)  ## add the libraries of local language models (the CPU build of torch: docs/models.md)

$(LM_STAMP): $(DEV_STAMP)
	@echo "adding the libraries of language models ..."
	@$(PIP) install --require-hashes -r requirements/lm.lock
	@rm -f $(VENV)/.lm-*; touch $@

apertium:  # a real translation server for the tests, where this user may install Debian packages
	@command -v apertium-apy > /dev/null || { \
	  if command -v apt-get > /dev/null && [ "$$(id -u)" = 0 ]; then \
	    echo "installing $(APERTIUM) ..."; \
	    apt-get update -qq > /dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y $(APERTIUM) > /dev/null; \
	  else echo "without apertium-apy its tests are skipped; apt-get install $(APERTIUM)"; fi; }

chromium:  # real browsers for the tests, without and with a window, where this user may install them
	@{ command -v chromium-headless-shell && command -v chromium && command -v Xvfb; } > /dev/null || { \
	  if command -v apt-get > /dev/null && [ "$$(id -u)" = 0 ]; then \
	    echo "installing $(CHROMIUM) ..."; \
	    apt-get update -qq > /dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y $(CHROMIUM) > /dev/null; \
	  else echo "without Chromium its tests are skipped; apt-get install $(CHROMIUM)"; fi; }

test: setup-dev apertium chromium  ## run every test, PostgreSQL included
	@$(BIN)/python -m pytest -n $(TEST_PROCESSES) --dist loadfile --no-loadscope-reorder

mutants: setup-dev  ## say what the tests are worth: the share of 200 small faults that they notice (an hour)
	$(BIN)/python -m tests.mutants.run

check: setup-dev  ## formatting, lint, types, import rules, migrations, generated docs
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m monitor.docs --check
	$(BIN)/python tests/alembic_check.py

soak: setup-dev  ## the long fault tests: 200 kills and a minute without a database (a quarter of an hour)
	$(BIN)/python -m tests.faults.soak

rolling: setup-dev  ## upgrade 0.1.0 while it collects, with kills: what is lost or doubled (a quarter of an hour)
	$(BIN)/python -m tests.faults.rolling

machines: setup-dev  ## 100 faults of lines and clocks between daemon, workers and PostgreSQL (root; a quarter of an hour)
	$(BIN)/python -m tests.faults.machines

image:  ## build the container image with podman and run its daemon (root)
	$(PYTHON) -m tests.image

bench: setup-dev  ## print the speed ratios against named references
	$(BIN)/python bench/run.py

bench-short: setup-dev  ## run every bench in seconds, to see that it still runs
	@$(BIN)/python bench/short.py

lock: setup-dev  ## make requirements/*.lock anew from pyproject.toml
	$(BIN)/python requirements/lock.py

docs: setup-dev  ## write the generated tables into README.md and docs/
	$(BIN)/python -m monitor.docs

generated: setup-dev  ## renew what is made of plug-ins: fingerprints, shapes of answers, recordings, docs
	$(BIN)/python -m tests.plugin_versions
	$(BIN)/python -m tests.answer_shapes
	$(BIN)/python -m tests.live
	$(BIN)/python -m monitor.docs

validation: setup-dev  ## write docs/validation.md: all studies on the data in MONITOR_REFERENCE_DATA
	$(BIN)/python docs/validation.py

notebook: setup-dev  ## compute the weekly report again in a notebook: out/weekly_report.ipynb
	@mkdir -p out
	$(BIN)/jupyter-execute --output $(CURDIR)/out/weekly_report.ipynb docs/notebook/weekly_report.ipynb

pictures: example  ## take the pictures of the web pages in README.md: docs/pictures and docs/weekly-report.png
	@$(BIN)/python -m tests.example.pictures out/example docs/pictures

wheel: setup-dev  ## build the package: dist/*.whl
	rm -f dist/gbmonitor-*.whl
	$(BIN)/python -m build --wheel --no-isolation --outdir dist .

dist: setup-dev  ## build what is released, twice and equal: dist/ with wheel, sdist, SBOM, SHA256SUMS
	rm -rf dist out/dist
	$(BIN)/python -m build --no-isolation --outdir dist .
	$(BIN)/python -m build --no-isolation --outdir out/dist .
	diff --recursive dist out/dist
	$(BIN)/cyclonedx-py requirements --pyproject pyproject.toml --output-reproducible \
	  --output-file dist/gbmonitor.cdx.json requirements/run.lock
	cd dist && sha256sum * > SHA256SUMS

clean:  ## remove what make created, databases excepted
	rm -rf $(VENV) dist out .mypy_cache .ruff_cache .pytest_cache .hypothesis
