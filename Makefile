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
	@$(BIN)/python -P -m headwater.cli.demo "$(REPO)"

.PHONY: check
check: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	MYPYPATH=services:helm $(BIN)/mypy helm/authoring helm/cluster helm/images
	$(BIN)/lint-imports
	$(BIN)/hadolint Dockerfile

.PHONY: test
test: install
	@helm/tools/install.sh grpcurl & \
	$(BIN)/python -P -m headwater.stack || echo "components are missing: the tests that need them are skipped and say so"; wait
	@tests/e2e/install_browser.sh || echo "no browser: the tests of the page are skipped and say so"
	@$(MAKE) --no-print-directory stack-semgrep || echo "no semgrep: the tests of the exact mode are skipped and say so"
	@$(MAKE) --no-print-directory corpora || echo "no golden corpora: the tests on them are skipped and say so"
	$(BIN)/pytest

# Hostile inputs for MINUTES; what breaks a promise is kept in tests/fuzz/corpus and is a test from then on.
MINUTES ?= 10
TARGETS ?=
.PHONY: fuzz
fuzz: install
	PYTHONPATH=tests $(BIN)/python -m fuzz $(MINUTES) $(TARGETS)

# Kills, outages, a full disk, poison: only those tests. HEADWATER_OUTAGE_S=60 is the long form.
.PHONY: test-faults
test-faults: stack
	$(BIN)/pytest -m faults

# The real Kafka, Milvus, Triton and PostgreSQL, into .stack; a second run changes nothing.
.PHONY: stack
stack: install
	$(BIN)/python -P -m headwater.stack

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

# The generated files of the chart: facts of the services, schema, dashboards, rendered examples.
.PHONY: chart-files
chart-files: install
	PYTHONPATH=helm $(BIN)/python -m authoring

# Renders, lints and validates the chart (Helm comes as a wheel), and unit-tests the alerts where promtool is installed.
.PHONY: chart-check
chart-check: install
	PYTHONPATH=helm $(BIN)/python -m authoring --check
	$(BIN)/pytest -q tests/unit/helm
	helm/tools/score.sh

# The examples installed into a real kube-apiserver with restricted pod security; built by go once, which takes minutes.
.PHONY: chart-apiserver
chart-apiserver: install
	helm/tools/apiserver.sh
	PYTHONPATH=helm $(BIN)/python -m cluster

# The schemas that custom resources are checked against, from the CRDs in their projects' Go modules.
.PHONY: chart-crds
chart-crds: install
	PYTHONPATH=helm $(BIN)/python -m authoring.crds

# kube-score, helm-docs and grpcurl, built by go into .stack/tools; checks and tests work without and say so.
.PHONY: chart-tools
chart-tools:
	helm/tools/install.sh

# Each service with its own extra alone, each in an environment of its own.
.PHONY: test-extras
test-extras: install
	$(BIN)/pytest -q -m extras tests/extras

# Images of all services (or of SERVICES), built by buildah, then run in a real system; needs root, buildah and mmdebstrap.
.PHONY: image-smoke
image-smoke: stack
	helm/tools/image.sh $(SERVICES)
	PYTHONPATH=helm $(BIN)/python -m images $(SERVICES)

# The page of the chart's values.
.PHONY: chart-docs
chart-docs: chart-tools
	.stack/tools/bin/helm-docs --chart-search-root helm/headwater --template-files README.md.gotmpl

# The packages that the golden questions are about, into .cache/corpora by the ordinary package clients; kept between runs.
.PHONY: corpora
corpora:
	../shared/golden/fetch_corpora.sh .cache

# The gate on a fixed sub-sample of the golden questions; skipped without the shared folder or the corpora.
.PHONY: eval-gate
eval-gate: install
	$(BIN)/pytest -q -rs tests/eval/test_gate.py

# What the gate compares with, after a change of ranking that is meant: the diff shows what it costs and gains.
.PHONY: eval-baseline
eval-baseline: install
	HEADWATER_WRITE_BASELINE=1 $(BIN)/pytest -q -rs tests/eval/test_gate.py
