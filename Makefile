# `make demo` shows the product, `make test` tests it, `make check` is every static check; CI runs the last two.
PYTHON ?= python3
REPO ?= .
BIN := .venv/bin

.venv/stamp: requirements.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	test -x $(BIN)/uv || $(BIN)/python -m pip install -q "uv>=0.5"
	$(BIN)/uv pip sync -q --python $(BIN)/python requirements.lock
	$(BIN)/uv pip install -q --python $(BIN)/python --no-deps -e .
	touch $@

.PHONY: install
install: .venv/stamp

.PHONY: demo
demo: install
	@$(BIN)/python -m headwater.cli.demo "$(REPO)"

.PHONY: check
check: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

.PHONY: test
test: install
	$(BIN)/python -m headwater.stack || echo "components are missing: the tests that need them are skipped and say so"
	$(BIN)/pytest

# The real Kafka, Milvus, Triton and PostgreSQL, into .stack; a second run changes nothing.
.PHONY: stack
stack: install
	$(BIN)/python -m headwater.stack

# Humans and agents ask the query service at ADDRESS, on this machine; fails when a budget is not kept.
ADDRESS ?= 127.0.0.1:7070
.PHONY: load
load: install
	$(BIN)/uv pip install -q --python $(BIN)/python --group load
	$(BIN)/python loadtests/query_load.py $(ADDRESS)

.PHONY: proto
proto: install
	$(BIN)/python proto/generate.py

.PHONY: lock
lock: install
	$(BIN)/uv pip compile -q pyproject.toml --all-extras --group dev --universal --generate-hashes \
		--no-emit-index-url --no-header --no-annotate -o requirements.lock

# Semgrep, in an environment of its own: its click conflicts with Faust's. Only the exact mode needs it.
.PHONY: stack-semgrep
stack-semgrep: .venv/stamp
	$(BIN)/uv venv -q --allow-existing .stack/semgrep
	$(BIN)/uv pip sync -q -p .stack/semgrep/bin/python semgrep.lock
