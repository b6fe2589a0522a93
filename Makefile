# Set up, run and check this project. Everything stays in .venv.

VENV := .venv
BIN := $(VENV)/bin
# Tests at a time, for two processors: a third of the time of the tests is spent on waiting for daemons and browsers.
JOBS ?= 3
# The systems of a Raspberry Pi on which install.sh is tried.
RELEASES ?= bookworm trixie
# Where `make models` and `make boards` put their pictures.
PICTURES ?= hardware/pictures
# The packages whose every branch is tested.
comma := ,
empty :=
PURE := $(subst $(empty) ,$(comma),$(foreach part,timekeeping/* boards/* rules/* games/*/rules/* games/*/rules.py games/*/sensing/* games/*/sensing.py games/*/_coaching.py referee/* coaching/* distance/* people/* tournament/*,companion/gnomon/$(part)))

# What mypyc can compile, and what then lies beside it.
COMPILED := companion/gnomon/games/tamsk/engine/_search.py

SHELL := /bin/sh
.NOTPARALLEL:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
.PHONY: help run hall test test-long compile check scripts audit lock dist near-real near-real-all image image-test docs fix bench ladder explore drill drill-hall models boards screenshots clean

# What a caller's shell may hold and would reach into the environment of our own.
unexport VIRTUAL_ENV CONDA_PREFIX CDPATH
unexport PYTHONPATH PYTHONHOME PYTHONSAFEPATH PYTHONSTARTUP PYTHONWARNINGS PYTHONOPTIMIZE PYTHONUSERBASE PYTHONPLATLIBDIR
unexport PIP_TARGET PIP_PREFIX PIP_ROOT PIP_PYTHON PIP_REQUIRE_VIRTUALENV PIP_EDITABLE PIP_NO_DEPS PIP_DRY_RUN
unexport PIP_NO_BUILD_ISOLATION PIP_REQUIREMENT PIP_SRC
unexport PYTEST_DISABLE_PLUGIN_AUTOLOAD PYTEST_PLUGINS COVERAGE_FILE COVERAGE_RCFILE COVERAGE_PROCESS_START MYPYPATH
unexport GPIOZERO_PIN_FACTORY
# The tests start Python some hundred times, and would compile everything again each time.
unexport PYTHONDONTWRITEBYTECODE
# pip's own configuration file may say `user = true`, which a virtual environment refuses.
export PIP_USER := 0
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1

# Twice quiet: errors only.
PIP := $(BIN)/python -m pip install --quiet --quiet
LOCK := $(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --upgrade --quiet \
	--no-annotate --custom-compile-command "make lock"

# Node is the one that was put into .venv, or else the machine's.
WITH_NODE := PATH="$(CURDIR)/$(BIN):$$PATH"
NODE_BIN := $(WITH_NODE) node_modules/.bin
SCRIPTS := '*.js' package.json tsconfig.json 'companion/**/*.js' 'tests/**/*.js'

# An editable install remembers its folder: a moved or copied one, or one whose Python has gone, is made again.
HERE := $(realpath .)
MADE := $(shell $(BIN)/python -I -c 'print(open("$(VENV)/.made").read().strip())' 2>/dev/null)
ifneq ($(MADE),$(HERE))
$(shell rm -f $(VENV)/.made $(VENV)/.run $(VENV)/.dev)
endif

help:
	@echo "make run    start the simulated TAMSK board and its page (ARGS=... for the daemon)"
	@echo "make hall   start a hall with twelve boards that play by themselves (ARGS=... for the hall)"
	@echo "make test   run the tests that need neither a browser, other programs nor whole games, with the coverage of the pure packages (ARGS=... for pytest, without coverage;"
	@echo "               TRACED=all runs the long tests too, and reports the coverage of everything)"
	@echo "make test-long  run the rest of the tests: pages in a browser, whole programs and servers, whole games, drills, power cuts, benches, models"
	@echo "make test EXAMPLES=1000  test every property with 1000 fresh examples instead of the same 40,"
	@echo "               for an hour before a release (SEED=... repeats an earlier search)"
	@echo "make check  check format, lint, types and import contracts, then make test and make test-long: most of what CI runs"
	@echo "make scripts  check only the scripts of the pages: format, lint, types and tests"
	@echo "make install-test  test install.sh in a Debian root, from the first installation to the last trace (needs root)"
	@echo "make image  build the image that is flashed to a card, into build/image (needs root and Debian)"
	@echo "make image-test  start that image in QEMU, from its first start to a power cut"
	@echo "make near-real  let the daemon meet a real kernel in QEMU, with the board's chips behind it, and install it under systemd (needs root; a few minutes)"
	@echo "make near-real-all  the same with every board, whole games, systemd, and ARM: before a release"
	@echo "make audit  look for published vulnerabilities in the packages that a board downloads"
	@echo "make lock   update the versions and hashes of these packages (locks/)"
	@echo "make dist   build the wheel and the sdist into dist, and run them where only the locked packages are installed"
	@echo "make docs   generate the docs that are made from the code: manual pages, completions, the picture of the packages"
	@echo "make fix    repair format and lint where a program can"
	@echo "make compile  compile the search of TAMSK's engine: the same moves, three to five times faster (needs a C compiler; make clean undoes it)"
	@echo "make bench  measure speed and size"
	@echo "make ladder  let the levels of a game's engine play each other (GAME=tabik; ARGS=\"--games 100\" for a measurement)"
	@echo "make explore  put single faults into games and report those that mislead the referee (CASES=... or HOURS=..., JOBS=...)"
	@echo "make drill  kill the daemon over and over, and check that nothing is lost (ARGS=... for the drill)"
	@echo "make drill-hall  kill broker, hub and boards in the middle of a tournament (ARGS=... for the drill)"
	@echo "make models render the printed parts into build/models, and their pictures"
	@echo "make boards check the circuit boards with KiCad, write what a maker needs into build/boards, and their pictures (needs root)"
	@echo "make screenshots  visit every page in every state, report what is wrong, and take the pictures of the docs"
	@echo "make clean  remove .venv and the files that the tools leave behind"

run: $(VENV)/.run
	@GNOMON_BESIDE='make run ARGS="--journal FILE --port 0"' exec $(BIN)/gnomond --board tamsk --simulated --unless-running $(ARGS)

hall: $(VENV)/.run
	@GNOMON_BESIDE='make hall ARGS="--demo 12 --port 0"' exec $(BIN)/gnomon hall --unless-running $(or $(ARGS),--demo 12)

# The order of Python's sets hangs on a number too: with the same one every run of the tests ends alike.
ifdef EXAMPLES
ifndef SEED
SEED := $(shell od -An -N4 -tu4 /dev/urandom | tr -d ' ')
endif
PYTEST = PYTHONHASHSEED=$(SEED) EXAMPLES=$(EXAMPLES) SEED=$(SEED) $(BIN)/python -m pytest --hypothesis-seed=$(SEED)
else
PYTEST = PYTHONHASHSEED=0 SEED=0 TRACED=$(TRACED) $(BIN)/python -m pytest
endif

# A part of the tests says nothing about coverage, nor does a search.
ifneq ($(ARGS)$(EXAMPLES),)
test: $(VENV)/.dev
	$(if $(ARGS),,@.ci/needs)
	$(if $(EXAMPLES),@echo "… searching with SEED=$(SEED)")
	@$(PYTEST) $(or $(ARGS),-n $(JOBS) --dist worksteal) $(if $(EXAMPLES),|| { echo "… that was SEED=$(SEED)" >&2; exit 1; })
else
test: $(VENV)/.dev
	@.ci/needs
	@echo "… testing"
	@rm -f .coverage .coverage.*
ifeq ($(TRACED),all)
	@$(PYTEST) -n $(JOBS) --dist worksteal --cov --cov-report=
	@echo "… coverage of the daemon and of the core's shells"
	@$(BIN)/python -m coverage report --omit="$(PURE)"
else
	@PART=traced $(PYTEST) -n $(JOBS) --dist worksteal --cov --cov-report=
	@PART=others $(PYTEST) -n $(JOBS) --dist worksteal
endif
	@echo "… coverage of the pure packages: every branch"
	@$(BIN)/python -m coverage report --include="$(PURE)" --fail-under=100
endif

test-long: $(VENV)/.dev
	@.ci/needs
	@echo "… long tests: pages in a browser, whole programs and servers, whole games, drills, power cuts, benches, models"
	@PART=long $(PYTEST) -n $(JOBS) --dist worksteal

check: $(VENV)/.dev
	@echo "… format"
	@$(BIN)/ruff format --quiet --check . || { echo "make fix repairs it." >&2; exit 1; }
	@echo "… lint"
	@$(BIN)/ruff check --quiet .
	@echo "… types"
	@$(BIN)/mypy --no-error-summary
	@echo "… import contracts"
	@$(BIN)/lint-imports --no-logo
	@$(MAKE) --no-print-directory scripts
	@$(MAKE) --no-print-directory test
	@$(MAKE) --no-print-directory test-long

scripts: node_modules/.made
	@echo "… the pages' scripts: format"
	@$(NODE_BIN)/prettier --log-level=warn --check $(SCRIPTS) || { echo "make fix repairs it." >&2; exit 1; }
	@echo "… their lint"
	@$(NODE_BIN)/eslint --max-warnings=0 .
	@echo "… their types"
	@$(NODE_BIN)/tsc
	@echo "… their tests"
	@$(WITH_NODE) node --test --test-timeout=20000 --test-reporter=dot tests/scripts/*.test.js

# A stage of its own: minutes, and a root made by debootstrap, which is kept under .cache.
install-test: $(VENV)/.dev
	@.ci/needs
	@for release in $(RELEASES); do \
		echo "… installing in a root of Debian $$release" && \
		DEBIAN_RELEASE=$$release $(BIN)/python -m pytest -x tests/service/install_stage.py $(ARGS) || exit 1; \
	done

image: $(VENV)/.dev
	@$(BIN)/python image/build.py $(ARGS)

image-test: $(VENV)/.dev
	@.ci/needs
	@$(BIN)/python -m pytest -x tests/service/image_stage.py $(ARGS)

# A kernel, roots of Debian and QEMU: kept under .cache, and what was found is written to build/near-real.
near-real: $(VENV)/.dev
	@$(BIN)/python -m tests.near_real $(ARGS)

near-real-all: $(VENV)/.dev
	@$(BIN)/python -m tests.near_real all

# Whether what a board downloads has published holes, as far as the service that knows of them can be asked.
audit: $(VENV)/.made
	@$(PIP) --group audit && $(BIN)/python .ci/audit locks/board.txt locks/pins.txt

# What install.sh downloads, with the hash of every file of every release: made again after a change of pyproject.toml.
lock: $(VENV)/.made
	@$(PIP) --group lock
	@$(LOCK) --group build -o locks/board.txt
	@$(LOCK) --group build --extra pi -o locks/pins.txt

# What a release is: both are built, installed with the locked wheels alone, and tried.
dist: $(VENV)/.dev
	@rm -rf dist
	@echo "… building into dist"
	@$(BIN)/python -m hatchling build -d dist
	@GNOMON_COMPILE=1 $(BIN)/python -m hatchling build -d dist -t wheel
	@DIST=dist $(BIN)/python -m pytest -q tests/service/test_dist.py $(ARGS)

docs: $(VENV)/.dev
	@$(BIN)/python -m tests.cli.manual
	@$(BIN)/python -m tests.docs_examples.architecture
	@$(BIN)/python -m tests.docs_examples.display_picture
	@$(BIN)/python -m tests.docs_examples.rules_pictures

fix: $(VENV)/.dev node_modules/.made
	@$(BIN)/ruff check --quiet --fix . || true
	@$(BIN)/ruff format .
	@$(NODE_BIN)/eslint --fix . || true
	@$(NODE_BIN)/prettier --log-level=warn --write $(SCRIPTS)

# Compiled it stands beside its source, and Python takes it instead. A source that is changed later is not seen.
compile: $(VENV)/.dev
	@echo "… compiling the search of TAMSK"
	@rm -f $(COMPILED:.py=*.so)
	@$(BIN)/python hatch_build.py
	@echo "… comparing it with plain Python, move by move"
	@$(BIN)/python -m pytest -q tests/engines/test_tamsk.py tests/engines/test_tamsk_sand.py

bench: $(VENV)/.dev
	@for bench in $(filter-out test_%,$(basename $(notdir $(sort $(wildcard tests/bench/[a-z]*.py))))); do \
		echo "… $$bench" && $(BIN)/python -m "tests.bench.$$bench" $(ARGS) || exit 1; \
	done

# Few games and few nodes unless ARGS says otherwise: enough to see that every level plays.
ladder: $(VENV)/.dev
	@$(BIN)/gnomon engine ladder $(or $(GAME),tabik) $(or $(ARGS),--games 2 --nodes 500)

# One process unless JOBS says otherwise: it runs for hours beside other work.
explore: $(VENV)/.dev
	@$(BIN)/python -m tests.faults $(if $(CASES),--cases $(CASES)) $(if $(HOURS),--hours $(HOURS)) \
		$(if $(filter file,$(origin JOBS)),,--jobs $(JOBS)) $(ARGS)

drill: $(VENV)/.dev
	@$(BIN)/python -m tests.drill $(or $(ARGS),--kills 2000)

drill-hall: $(VENV)/.dev
	@$(BIN)/python -m tests.hall.drill $(or $(ARGS),--drills 10)

models:
	@echo "… rendering the parts into build/models"
	@hardware/models/render models build/models
	@echo "… and their pictures into $(PICTURES)"
	@SIDES=64 hardware/models/render pictures $(PICTURES)

# A stage of its own: KiCad is a gigabyte, in a root made by mmdebstrap, which is kept under .cache.
boards: $(VENV)/.dev
	@.ci/needs
	@echo "… checking the circuit boards with KiCad, into build/boards, and their pictures into $(PICTURES)"
	@PICTURES=$(PICTURES) $(BIN)/python -m pytest -q -x tests/wiring/boards_stage.py $(ARGS)

screenshots: $(VENV)/.dev
	@$(BIN)/python -m tests.web.shots $(ARGS)
	@$(BIN)/python -m tests.web_director.shots $(ARGS)
	@$(BIN)/python -m tests.web_hall.shots $(ARGS)

clean:
	@rm -f $(COMPILED:.py=*.so)
	@rm -rf $(VENV) node_modules build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis .coverage .coverage.*
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The first Python that is new enough and can make an environment. Debian packs `ensurepip` apart, hence the second look.
# An environment that is there and works is kept: it may be the builder's, with the system's packages of a Raspberry Pi.
$(VENV)/.made:
	@if $(BIN)/python -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
		&& test -z "$(MADE)" && grep -qF '$(HERE)/$(VENV)/' $(BIN)/pip; then \
		echo "… using the .venv that is here"; \
	else \
		python=; old=; \
		for name in python3 python3.13 python3.12 python3.11; do \
			"$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue; \
			if "$$name" -c 'import ensurepip, venv' >/dev/null 2>&1; then python=$$name; break; fi; \
			old=$$name; \
		done; \
		if test -z "$$python" && test -n "$$old"; then \
			echo "$$old has no venv or ensurepip: install them (Debian: sudo apt-get install python3-venv)." >&2; exit 1; \
		elif test -z "$$python"; then \
			echo "Gnomon needs Python 3.11 or newer, and none of python3, python3.13, python3.12, python3.11 is." >&2; exit 1; \
		fi; \
		echo "… making .venv with $$python"; \
		"$$python" -m venv --clear $(VENV) || exit 1; \
	fi
	@$(PIP) 'pip>=25.1' || { echo "pip could not be brought up to date: is the network there?" >&2; exit 1; }
	@echo '$(HERE)' > $@

$(VENV)/.run: $(VENV)/.made pyproject.toml
	@echo "… installing Gnomon into .venv"
	@$(PIP) -e . || { echo "The installation failed: is the network there?" >&2; exit 1; }
	@touch $@
	@echo "… its commands are $(BIN)/gnomon and $(BIN)/gnomond (on the path of this terminal after: . $(BIN)/activate)"

$(VENV)/.dev: $(VENV)/.made pyproject.toml
	@echo "… installing Gnomon and what its tests need into .venv"
	@$(PIP) -e . --group dev || { echo "The installation failed: is the network there?" >&2; exit 1; }
	@touch $@ $(VENV)/.run

# What checks the scripts of the pages. A machine without Node gets one wheel of it: Debian's is too old, and its npm
# brings 400 packages.
node_modules/.made: package.json package-lock.json $(VENV)/.made
	@node -e 'const [major, minor] = process.versions.node.split(".").map(Number); process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1)' 2>/dev/null && command -v npm >/dev/null || { \
		echo "… installing Node into .venv"; $(PIP) --group node; \
	}
	@echo "… installing what checks the scripts of the pages into node_modules"
	@$(WITH_NODE) npm ci --loglevel=error || { echo "npm could not install it: is the network there?" >&2; exit 1; }
	@touch $@
