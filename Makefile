# make demo | test | check | fuzz | extension | bench | clean
# Everything is installed by this file; see README.md, "Working on it".

PYTHON ?= python3
URL ?=
BROWSER ?= chromium

BIN := .venv/bin
VENV := .venv/.installed
NODE := node_modules/.installed

.PHONY: demo test test-documents test-library test-host test-extension test-browsers test-fuzz check fuzz extension bench browsers clean

demo: $(VENV) extension
	$(BIN)/python -m demo --browser "$(BROWSER)" $(if $(URL),--url "$(URL)")

test: check test-documents test-library test-host test-extension test-fuzz test-browsers

check: $(VENV) $(NODE) extension
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	npm run --silent check

test-documents: $(VENV)
	$(BIN)/python -m pytest tests/test_documents.py tests/test_first_change.py

test-library: $(VENV) browsers
	$(BIN)/python -m pytest tests/library --numprocesses auto --dist worksteal

test-host: $(VENV)
	$(BIN)/python -m pytest tests/host

test-extension: $(NODE) extension
	npm test --silent

test-browsers: $(VENV) extension browsers
	$(BIN)/python -m pytest tests/browsers

test-fuzz: $(VENV)
	$(BIN)/python -m pytest tests/fuzz

# Coverage-guided fuzzing for as long as there is time: make fuzz SECONDS=28800 goes on over night.
SECONDS ?= 600
fuzz: $(VENV)
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS)

extension: $(VENV)
	$(BIN)/python manifest/build.py

# Measurements, not tests: times as ratios and in milliseconds, peak memory, the host's cold start.
BENCHMARK ?= ../shared/benchmark/sites
bench: $(VENV)
	$(BIN)/python benchmarks/cold_start.py 20
	$(BIN)/python benchmarks/detectors.py $(BENCHMARK)
	$(BIN)/python benchmarks/pagelevel.py $(BENCHMARK)
	$(BIN)/sitestencil benchmark $(BENCHMARK) --detector all --held-out --peers
	$(BIN)/python benchmarks/speed.py $(BENCHMARK)

# Both browsers and the driver of the report's pictures, installed by apt on Debian as root; elsewhere this says what to install, and fails.
browsers: $(VENV)
	$(BIN)/python -m demo.programs chromium firefox chromedriver

$(VENV): pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "Sitestencil needs Python 3.11 or newer: install it, or set PYTHON="; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable . --group dev
	@touch $@

$(NODE): package.json package-lock.json
	@command -v npm >/dev/null || { echo "The extension's checks need Node.js 20 or newer with npm: install it"; exit 1; }
	npm ci --silent --no-audit --no-fund --ignore-scripts
	@touch $@

clean:
	rm -rf .venv node_modules dist out .mypy_cache .ruff_cache .pytest_cache .hypothesis
