# make demo | test | nightly | check | endurance | hunt | fuzz | sanitize | extension | docs | bench | deb | deb-test | container | size | lock | licences | sbom | reproducible | recipes | recipes-check | release | clean
# This file installs all that is needed; see README.md, "Work on it".

PYTHON ?= python3
URL ?=
BROWSER ?= chromium
VERSION ?=

# Each Python that a test starts would compile all that it imports again: three times the work.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
VENV := .venv/.installed
DEMO := .venv/.demo
NODE := node_modules/.installed
READY := $(VENV) $(NODE) extension browsers

.PHONY: demo test nightly test-program check check-python check-extension check-workflows endurance hunt fuzz sanitize extension docs bench deb deb-test container lock licences sbom reproducible distributions checksums recipes recipes-check store-pictures size release release-version browsers clean

demo: $(DEMO) extension
	$(BIN)/python -m demo --browser "$(BROWSER)" $(if $(URL),--url "$(URL)")

# Two workers have the tests in Chromium, two those in Firefox, and all share the rest. Browser tests wait much, so
# there are more workers than cores. Limits, and what runs at night, are in tests/conftest.py.
WORKERS ?= $(shell expr 3 + $$(getconf _NPROCESSORS_ONLN))
PYTEST := $(BIN)/python -m pytest --numprocesses $(WORKERS)

test: $(READY) check
	npm test --silent
	$(PYTEST)
	@$(BIN)/python -m supply.release record

# What `make test` leaves out: long tests, tests in Firefox of what both browsers do alike, and the compiled module
# under sanitizers.
nightly: $(READY)
	@$(MAKE) --no-print-directory sanitize
	$(PYTEST) -m "nightly or endurance"

# On every system, without browsers.
test-program: $(VENV) $(NODE) extension
	npm test --silent
	$(PYTEST) tests/library tests/host tests/supply research/tests

check: $(VENV) $(NODE) extension
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target check-python check-extension check-workflows

check-python:
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports
	$(BIN)/python -m supply.words
	$(BIN)/mypy

check-extension:
	npm run --silent check

check-workflows:
	$(BIN)/actionlint

# The long forms of tests that `make test` runs a few times: many clicks, kills, extractions and elements.
endurance: $(READY)
	$(BIN)/python -m pytest -m endurance

# The tests with random examples draw new ones. An example that fails is saved in .hypothesis/ and replayed first in the
# next hunt. ROUNDS=100 goes on over night.
ROUNDS ?= 3
hunt: $(READY)
	for round in $$(seq $(ROUNDS)); do $(PYTEST) --hypothesis-profile hunt -m "hypothesis and not endurance" || exit 1; done

# Coverage-guided fuzzing for as long as there is time: make fuzz SECONDS=28800 goes on over night.
SECONDS ?= 600
fuzz: $(VENV)
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS)

# The compiled module under AddressSanitizer and UBSan, which come with gcc.
ROWS ?= 1000
sanitize: $(VENV)
	$(BIN)/python -m tests.sanitizer --rows $(ROWS)

# Python alone builds the extension, in a fraction of a second.
extension:
	@$(HAS_PYTHON)
	@$(PYTHON) manifest/build.py

# The documents that are made from the program's own help and docstrings, and the types of the host's messages.
docs: $(VENV)
	$(BIN)/python -m supply.host_messages
	$(BIN)/python -m docs.scripts.command_line
	$(BIN)/python -m docs.scripts.python_reference
	$(BIN)/python -m docs.scripts.crawl_picture

# Measurements, not tests: times as ratios and in milliseconds, peak memory, the host's cold start. An aim that is missed
# is printed, and the next measurement runs.
BENCHMARK ?= ../shared/benchmark/sites
MEASURE := -$(BIN)/python -m sitestencil_research.measurements
bench: $(VENV)
	$(MEASURE).cold_start 20
	$(MEASURE).pagelevel $(BENCHMARK)
	$(BIN)/sitestencil benchmark $(BENCHMARK) --detector all --held-out --peers
	$(BIN)/sitestencil benchmark $(BENCHMARK) --held-out --perturbed
	$(MEASURE).confidence $(BENCHMARK)
	$(MEASURE).click $(BENCHMARK) --sites 8
	$(MEASURE).speed $(BENCHMARK)

# Both browsers, the driver for rendered pages, the shells that complete the command, and what checks the Debian package, installed by apt on Debian as root; elsewhere this says what to install, and fails.
browsers: $(VENV)
	@$(BIN)/python -m tests.support.browsers.programs chromium firefox chromedriver zsh fish lintian hugo

# requirements/ names each package with its version and hash, for every system and Python; pip takes nothing else. The
# build tools come first, so that no build fetches them. Python compiles a module when it first imports it: that is less
# than all of them, and two thirds of the time. Twice quiet: errors are shown, warnings are not.
HAS_PYTHON := command -v $(PYTHON) >/dev/null || { echo "Sitestencil needs Python 3.11 or newer: install it, or set PYTHON="; exit 1; }
PIP_INSTALL := $(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-compile
COMPILED := $(wildcard src/sitestencil/*/*/native_*.pyx) # README.md, "Work on it"
# What the compiled module is built with; on Debian as root it is installed. It saves time, and its tests need it.
HAS_COMPILER := { command -v gcc || command -v cc; } >/dev/null && $(PYTHON) -c "import os, sysconfig; os.stat(sysconfig.get_path('include') + '/Python.h')" 2>/dev/null
COMPILER := $(HAS_COMPILER) || { [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; } || { \
	echo "Installing gcc and python3-dev (apt-get) ..."; \
	apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends gcc libc6-dev python3-dev >/dev/null; }
$(VENV): pyproject.toml research/pyproject.toml requirements/build.txt requirements/dev.txt $(COMPILED)
	@$(HAS_PYTHON)
	@echo "Making .venv ..."
	@$(PYTHON) -m venv .venv
	@echo "Installing the build tools of requirements/build.txt ..."
	@$(PIP_INSTALL) --require-hashes --only-binary :all: --requirement requirements/build.txt
	@echo "Installing the packages of requirements/dev.txt ..."
	@$(PIP_INSTALL) --require-hashes --no-build-isolation --requirement requirements/dev.txt
	@$(COMPILER)
	@echo "Building and installing Sitestencil ..."
	@$(PIP_INSTALL) --no-build-isolation --editable . --editable ./research
	@touch $@ $(DEMO)

# The demo needs no tests and no compiler. pip tells each package, on one line.
TOLD := awk '/^(Collecting|Processing) / { sub(/.*\//, "", $$2); sub(/-[0-9].*|[=;].*/, "", $$2); printf " %s", $$2; fflush() } { said = said $$0 "\n" } \
	/^Successfully|^Requirement already/ { done = 1 } END { print ""; if (!done) { printf "%s", said; exit 1 } }'
$(DEMO): pyproject.toml requirements/demo.txt
	@$(HAS_PYTHON)
	@echo "Making .venv ..."
	@$(PYTHON) -m venv .venv
	@printf "Installing"
	@$(subst -qq,,$(PIP_INSTALL)) --require-hashes --only-binary :all: --requirement requirements/demo.txt 2>&1 | $(TOLD)
	@echo "Installing Sitestencil ..."
	@$(PIP_INSTALL) --no-build-isolation --editable .
	@touch $@

# Renew requirements/ after a change of pyproject.toml; with UPGRADE=1 to the newest versions.
LOCK := $(BIN)/python -m uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --quiet $(if $(UPGRADE),--upgrade)
lock:
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m uv --version >/dev/null 2>&1 || $(BIN)/python -m pip install --quiet "uv>=0.13"
	$(LOCK) pyproject.toml --group dev --output-file requirements/dev.txt
	$(LOCK) --group build --constraints requirements/dev.txt --output-file requirements/build.txt
	$(LOCK) pyproject.toml --constraints requirements/dev.txt --output-file requirements/run.txt
	$(LOCK) pyproject.toml --extra crawl --extra ray --constraints requirements/dev.txt --output-file requirements/crawl.txt
	$(LOCK) pyproject.toml --group demo --constraints requirements/dev.txt --output-file requirements/demo.txt

# The Debian package, with an environment for this Python of the system's: docs/packaging.md
DEB_PYTHON ?= /usr/bin/python3
deb:
	@$(DEB_PYTHON) packaging/deb/build.py

# Into a clean root by apt, both browsers, upgrade, downgrade, removal, two users, a full disk: as root, without network.
deb-test: $(READY)
	$(BIN)/python -m pytest tests/packaging

# An image for crawls, by podman or docker: docs/packaging.md. BASE names another image of Debian 12 to start from.
CONTAINER ?= $(shell command -v podman || command -v docker)
BASE ?=
container:
	@test -n "$(CONTAINER)" || { echo "Building the image needs podman or docker: apt install podman"; exit 1; }
	"$(CONTAINER)" build $(CONTAINER_OPTIONS) $(if $(BASE),--build-arg BASE=$(BASE)) --tag sitestencil --file packaging/container/Containerfile .

licences: $(VENV)
	$(BIN)/python -m supply.licences

sbom: $(VENV)
	$(BIN)/python -m supply.sbom dist

reproducible: $(VENV)
	$(BIN)/python -m supply.reproducible

# The source, a wheel without compiled modules, for the systems that have no other (.github/workflows makes those), and
# the wheel of research.
distributions: $(VENV)
	$(BIN)/python -m hatchling build -d dist -t sdist
	CC=false $(BIN)/python -m hatchling build -d dist -t wheel
	cd research && ../$(BIN)/python -m hatchling build -d ../dist -t wheel

# For Homebrew, MCP clients and Mozilla's reviewers; the check needs Ruby, Node.js and the network.
recipes: distributions
	@rm -f dist/*.mcpb
	$(BIN)/python -m supply.recipes
recipes-check: recipes
	ruby -c dist/sitestencil.rb
	rm -rf out/bundle && npx --yes @anthropic-ai/mcpb@2.1.2 unpack dist/*.mcpb out/bundle
	npx --yes @anthropic-ai/mcpb@2.1.2 validate out/bundle/manifest.json

# Counts of lines, modules, tests and documents, beside their aims.
size: $(VENV)
	@$(BIN)/python -m supply.size

# The pictures of store/, from the real extension.
store-pictures: $(VENV) extension
	$(BIN)/python -m demo.store

checksums:
	cd dist && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%P\n' | LC_ALL=C sort | xargs -d '\n' sha256sum >SHA256SUMS

# packaging/README.md. It checks all that can be checked here, makes the tag, and leaves the push to a person.
release: $(VENV) extension
	@$(BIN)/python -m supply.release check "$(VERSION)"
	@$(MAKE) --no-print-directory reproducible
	@$(BIN)/python -m supply.release tag "$(VERSION)"

# Needs Python alone.
release-version:
	@$(PYTHON) -m supply.release version "$(VERSION)"

$(NODE): package.json package-lock.json
	@command -v npm >/dev/null || { echo "The extension's checks need Node.js 20 or newer with npm: install it"; exit 1; }
	@echo "Installing the packages of package-lock.json ..."
	@npm ci --silent --no-audit --no-fund --ignore-scripts
	@npm ci --silent --no-audit --no-fund --ignore-scripts --prefix research/src/sitestencil_research/benchmark/peers/npm
	@touch $@

clean:
	rm -rf .venv node_modules dist out .mypy_cache .ruff_cache .pytest_cache
