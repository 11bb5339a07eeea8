# make run    serve on http://127.0.0.1:8080 (SCOTTENBURY_* in the environment change that);
#             with SANDBOX=1 programs can move clocks
# make play   play at a terminal, on the server at URL (http://127.0.0.1:8080)
# make test   everything that must hold before a change is shared; BROWSER=no leaves out the browser's
# make test-all  the same with twice the random games, every letter of the corpus, every death of a
#                worker, every way to wrap a mail, and every page in all languages and themes at all
#                widths, of which `make test` tries a fixed share
# make screenshots  every page at three widths in light and dark, into build/screenshots/
# make pictures  the six of them that the README shows, into docs/images/
# make test-clients  a TypeScript client made of openapi.yaml compiles and plays (takes npm)
# make test-kills  500 turns by mail while its processes are killed at every seam (a minute or two);
#                  and a game by IMAP, where Postfix and Dovecot are installed
# make speedups  compile the rules in place, for half as many games a second again (needs a C compiler)
# make pure   remove what make speedups made
# make test-speedups  the rules' tests and the golden records pass compiled too (two minutes)
# make words  bring the catalogues of messages up to date with the code
# make format put the code into its standard form
# make lock   take the newest versions of all dependencies (constraints.txt)
# make audit  check the pinned dependencies for known holes
# make sbom   list all that an installation holds (CycloneDX), into build/scottenbury.cdx.json
# make clean  remove what make made, never the games

PYTHON ?= $(firstword $(shell command -v python3.11 python3))
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
WORKERS ?= 4
BROWSER ?= yes

.PHONY: run play test test-all browser screenshots pictures test-clients test-kills speedups pure test-speedups lint words format lock audit sbom clean

run: $(VENV)/installed
	@$(if $(filter-out 0 no off,$(SANDBOX)),SCOTTENBURY_SANDBOX=on )exec $(BIN)/scottenbury serve

# Compiled modules are kept, whatever the environment says: the tests start many processes.
test test-all: export PYTHONDONTWRITEBYTECODE :=
test-all: export SCOTTENBURY_TEST_THOROUGHNESS ?= 2
play: $(VENV)/installed
	@$(BIN)/python -c 'import platformdirs, scottenbury_client' 2>&- || $(PIP) install --constraint constraints.txt ./client '.[play]'
	@exec $(BIN)/scottenbury play $(URL)

# The checks of `lint` run beside the tests, and speak after them. A browser starves now and then
# on a busy machine: where only tests in browsers failed, they run once more, alone.
test test-all: $(VENV)/installed-dev browser
	@mkdir -p build; $(MAKE) --no-print-directory lint >build/lint.log 2>&1 & lint=$$!; \
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadscope --no-loadscope-reorder $(if $(filter no,$(BROWSER)),--ignore tests/web/browser); \
	tests=$$?; wait $$lint; linted=$$?; \
	if [ $$tests = 1 ] && ! grep :: .pytest_cache/v/cache/lastfailed | grep -vq '"tests/web/browser/'; \
	then $(BIN)/python -m pytest --last-failed; tests=$$?; fi; \
	cat build/lint.log; exit $$((tests ? tests : linted))

# Chromium on the path, else the one that Playwright brings, else Debian's package.
browser: $(VENV)/installed-dev
	@$(if $(filter no,$(BROWSER)),:,$(BIN)/python -m tests.support.browser)

screenshots: $(VENV)/installed-dev browser
	@$(BIN)/python -m tests.support.screenshots $(ONLY)

pictures: $(VENV)/installed-dev browser
	@$(BIN)/python -m tests.support.screenshots --readme

# Apart from `make test`: npm takes its packages from a registry.
test-clients: $(VENV)/installed-dev
	@$(BIN)/python -m pytest tests/clients/typescript/check.py

test-kills: $(VENV)/installed-dev
	@$(BIN)/python -m tests.faults.mail_kills
	@$(BIN)/python -m tests.faults.imap_games --lease 2

# The modules that a game runs through. Compiled dataclasses may have no class variables: events do.
RULES := cards claims decide errors evolve formations game notation options rules

build/speedups/done: $(wildcard engine/*.py) | $(VENV)/installed-dev
	@rm -rf build/speedups && mkdir -p build/speedups && cp -r engine build/speedups/ && rm -f build/speedups/engine/*.so
	@$(PIP) install setuptools
	@cd build/speedups && ../../$(BIN)/mypyc $(RULES:%=engine/%.py) > log || { cat log; exit 1; }
	@touch $@

# Their shared part is a module of its own at the top, so that it lies among the installed ones.
speedups: build/speedups/done
	@cp build/speedups/engine/*.so engine/
	@cp build/speedups/*__mypyc.*.so "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("platlib"))')"
	@$(BIN)/scottenbury --version

pure:
	@rm -f engine/*.so

test-speedups: build/speedups/done
	@cp -r tests docs openapi.yaml pyproject.toml build/speedups/
	@cd build/speedups && PYTHONPATH=. ../../$(BIN)/python -c 'import engine; assert engine.COMPILED'
	@cd build/speedups && PYTHONPATH=. ../../$(BIN)/python -m pytest -p no:cacheprovider tests/engine tests/golden

lint: $(VENV)/installed-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

words: $(VENV)/installed-dev
	@$(BIN)/python -m tests.support.catalogues

format: $(VENV)/installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lock:
	$(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip --quiet install uv
	build/lock/bin/uv pip compile --quiet --universal --upgrade --python-version 3.11 --extra dev \
	    --no-header --no-annotate --no-emit-index-url pyproject.toml --output-file constraints.txt

audit:
	$(PYTHON) -m venv build/audit
	build/audit/bin/python -m pip --quiet install pip-audit
	build/audit/bin/pip-audit --strict --no-deps --disable-pip --requirement constraints.txt

sbom:
	$(PYTHON) -m venv build/sbom build/cyclonedx
	build/sbom/bin/python -m pip --quiet install --constraint constraints.txt .
	build/cyclonedx/bin/python -m pip --quiet install cyclonedx-bom
	build/cyclonedx/bin/cyclonedx-py environment --output-reproducible --pyproject pyproject.toml \
	    --output-file build/scottenbury.cdx.json build/sbom/bin/python

clean:
	rm -rf $(VENV) engine/*.so build client/build *.egg-info client/*.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis

$(BIN)/python:
	@echo "Making $(VENV)"
	@$(PYTHON) -m venv $(VENV)

# Installed again whenever what is to be installed has changed.
$(VENV)/installed: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing (a minute, once)"
	@$(PIP) install --constraint constraints.txt --editable .
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed client/pyproject.toml
	@echo "Installing what the tests need"
	@$(PIP) install --constraint constraints.txt --editable client --editable '.[dev]'
	@touch $@
