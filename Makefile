# make demo | test | check | fuzz | sanitize | extension | docs | bench | lock | licences | sbom | reproducible | clean
# Everything is installed by this file; see README.md, "Working on it".

PYTHON ?= python3
URL ?=
BROWSER ?= chromium

BIN := .venv/bin
VENV := .venv/.installed
NODE := node_modules/.installed

.PHONY: demo test test-documents test-library test-host test-extension test-browsers test-fuzz test-supply check fuzz sanitize extension docs bench lock licences sbom reproducible browsers clean

demo: $(VENV) extension
	$(BIN)/python -m demo --browser "$(BROWSER)" $(if $(URL),--url "$(URL)")

# Tests with browsers, processes and limits in seconds, which a busy machine makes late: what fails is told and runs
# once more, alone. What fails twice fails.
tested = $(BIN)/python -m pytest $(1) || { \
	echo "\nThe tests that failed above run once more, alone:"; \
	$(BIN)/python -m pytest $(firstword $(1)) --last-failed --last-failed-no-failures none; }

test: check test-documents test-library test-host test-extension test-fuzz sanitize test-supply test-browsers

check: $(VENV) $(NODE) extension
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	npm run --silent check

test-documents: $(VENV)
	$(BIN)/python -m pytest tests/test_documents.py tests/test_made_documents.py tests/test_first_change.py

test-library: $(VENV) browsers
	$(call tested,tests/library --numprocesses auto --dist worksteal)

test-host: $(VENV)
	$(call tested,tests/host)

test-extension: $(NODE) extension
	npm test --silent

test-browsers: $(VENV) extension browsers
	$(call tested,tests/browsers)

test-fuzz: $(VENV)
	$(BIN)/python -m pytest tests/fuzz

test-supply: $(VENV)
	$(BIN)/python -m pytest tests/supply

# Coverage-guided fuzzing for as long as there is time: make fuzz SECONDS=28800 goes on over night.
SECONDS ?= 600
fuzz: $(VENV)
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS)

# The compiled modules under AddressSanitizer and UBSan, which come with gcc; PAGES=20000 goes on for an hour.
PAGES ?= 150
sanitize: $(VENV)
	$(BIN)/python -m tests.sanitizer --pages $(PAGES)

# Nothing is installed for it: Python alone builds the extension, in a fraction of a second.
extension:
	@command -v $(PYTHON) >/dev/null || { echo "Sitestencil needs Python 3.11 or newer: install it, or set PYTHON="; exit 1; }
	$(PYTHON) manifest/build.py

# The documents that are made from the program's own help and docstrings.
docs: $(VENV)
	$(BIN)/python -m docs.scripts.command_line
	$(BIN)/python -m docs.scripts.python_reference

# Measurements, not tests: times as ratios and in milliseconds, peak memory, the host's cold start.
BENCHMARK ?= ../shared/benchmark/sites
bench: $(VENV)
	$(BIN)/python benchmarks/cold_start.py 20
	$(BIN)/python benchmarks/detectors.py $(BENCHMARK)
	$(BIN)/python benchmarks/pagelevel.py $(BENCHMARK)
	$(BIN)/sitestencil benchmark $(BENCHMARK) --detector all --held-out --peers
	$(BIN)/sitestencil benchmark $(BENCHMARK) --held-out --perturbed
	-$(BIN)/python benchmarks/sureness.py $(BENCHMARK)
	$(BIN)/python benchmarks/click.py $(BENCHMARK) --sites 8
	$(BIN)/python benchmarks/speed.py $(BENCHMARK)

# Both browsers and the driver of the report's pictures, installed by apt on Debian as root; elsewhere this says what to install, and fails.
browsers: $(VENV)
	$(BIN)/python -m demo.programs chromium firefox chromedriver

# All that is installed stands in requirements/ with its version and hash, for every system and Python: pip takes
# nothing else. What builds is installed first, so that no build fetches it.
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps
COMPILED := $(wildcard src/sitestencil/*/native_*.pyx src/sitestencil/*/native_*.pxd) # README.md, "Working on it"
# What the compiled modules are built with; on Debian as root it is installed. Without it plain Python does the same.
HAS_COMPILER := { command -v gcc || command -v cc; } >/dev/null && $(PYTHON) -c "import os, sysconfig; os.stat(sysconfig.get_path('include') + '/Python.h')" 2>/dev/null
COMPILER := $(HAS_COMPILER) || { [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; } || { \
	echo "Installing gcc and python3-dev (apt-get) ..."; \
	apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends gcc libc6-dev python3-dev >/dev/null; }
$(VENV): pyproject.toml requirements/build.txt requirements/dev.txt $(COMPILED)
	@command -v $(PYTHON) >/dev/null || { echo "Sitestencil needs Python 3.11 or newer: install it, or set PYTHON="; exit 1; }
	$(PYTHON) -m venv .venv
	$(PIP_INSTALL) --require-hashes --only-binary :all: --requirement requirements/build.txt
	$(PIP_INSTALL) --require-hashes --no-build-isolation --requirement requirements/dev.txt
	@$(COMPILER)
	$(PIP_INSTALL) --no-build-isolation --editable .
	@touch $@

# Renew requirements/ after a change of pyproject.toml; with UPGRADE=1 to the newest versions.
LOCK := $(BIN)/python -m uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --quiet $(if $(UPGRADE),--upgrade)
lock:
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m uv --version >/dev/null 2>&1 || $(BIN)/python -m pip install --quiet "uv>=0.13"
	$(LOCK) pyproject.toml --group dev --output-file requirements/dev.txt
	$(LOCK) --group build --constraints requirements/dev.txt --output-file requirements/build.txt

licences: $(VENV)
	$(BIN)/python -m supply.licences

sbom: $(VENV)
	$(BIN)/python -m supply.sbom

reproducible: $(VENV)
	$(BIN)/python -m supply.reproducible

$(NODE): package.json package-lock.json
	@command -v npm >/dev/null || { echo "The extension's checks need Node.js 20 or newer with npm: install it"; exit 1; }
	npm ci --silent --no-audit --no-fund --ignore-scripts
	@touch $@

clean:
	rm -rf .venv node_modules dist out .mypy_cache .ruff_cache .pytest_cache .hypothesis
