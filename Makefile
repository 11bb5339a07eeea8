# make run    serve on http://127.0.0.1:8080 (SCOTTENBURY_* in the environment change that)
# make play   play at a terminal, on the server at URL (http://127.0.0.1:8080)
# make test   everything that must hold before a change is shared; BROWSER=no leaves out the browser's
# make screenshots  every page at three widths in light and dark, into build/screenshots/
# make pictures  the six of them that the README shows, into docs/images/
# make test-clients  a TypeScript client made of openapi.yaml compiles and plays (takes npm)
# make test-kills  500 turns by mail while its processes are killed at every seam (a minute or two)
# make format put the code into its standard form
# make lock   take the newest versions of all dependencies (constraints.txt)
# make audit  check the pinned dependencies for known holes
# make clean  remove what make made, never the games

PYTHON ?= $(firstword $(shell command -v python3.11 python3))
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
WORKERS ?= 2
BROWSER ?= yes

.PHONY: run play test browser screenshots pictures test-clients test-kills lint format lock audit clean

run: $(VENV)/installed
	@exec $(BIN)/scottenbury serve

# Compiled modules are kept, whatever the environment says: the tests start many processes.
test: export PYTHONDONTWRITEBYTECODE :=
play: $(VENV)/installed
	@$(BIN)/python -c 'import platformdirs, scottenbury_client' 2>&- || $(PIP) install --constraint constraints.txt ./client '.[play]'
	@exec $(BIN)/scottenbury play $(URL)

test: $(VENV)/installed-dev lint browser
	@$(BIN)/python -m pytest -n $(WORKERS) --dist loadscope --no-loadscope-reorder $(if $(filter no,$(BROWSER)),--ignore tests/web/browser)

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

lint: $(VENV)/installed-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

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

clean:
	rm -rf $(VENV) build client/build *.egg-info client/*.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis

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
