# The two commands a newcomer needs are `make demo` and `make test`; `make check` is what CI runs before the tests.
PYTHON ?= python3
BIN := .venv/bin

.venv/stamp: pyproject.toml requirements.lock
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q uv
	$(BIN)/uv pip sync -q --python $(BIN)/python requirements.lock
	$(BIN)/uv pip install -q --python $(BIN)/python --no-deps -e .
	touch .venv/stamp

.PHONY: check
check: .venv/stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

.PHONY: test
test: .venv/stamp
	$(BIN)/pytest

# The real Kafka, Milvus, Triton and PostgreSQL, into .stack; a second run changes nothing.
.PHONY: stack
stack: .venv/stamp
	$(BIN)/python -m headwater.stack

.PHONY: proto
proto: .venv/stamp
	$(BIN)/python proto/generate.py
