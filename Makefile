# Every target works as the first command typed in a fresh clone: it sets up
# .venv by itself (setup.sh), once.

BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest
# Two workers keep two cores busy; more only make real servers and bots wait.
JOBS ?= 2
CODE := engine server tournament bots cli clients/python/ohhell_bot tests \
	$(wildcard benchmarks) proto/generate.py proto/reference.py clients/generate.py \
	deploy/compile_ahead.py

.DEFAULT_GOAL := help
.PHONY: help demo test test-slow test-alone compiled test-compiled test-all test-fresh \
	test-languages image test-image test-clients bench-clients mutate deep check bench \
	bench-hostile runtime dev proto lock format clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' Makefile

demo: runtime ## a tournament of four house bots, with live standings and a report
	@$(BIN)/ohhell tournament run examples/quickstart.toml --fresh

test: dev ## every test that needs only Python
	$(PYTEST) -n $(JOBS) --dist worksteal -m "not slow"

test-slow: dev ## the tests that need more: minutes, browsers, services
	$(PYTEST) -n $(JOBS) --dist worksteal -m "slow and not clients and not alone"

test-alone: dev ## the tests against a clock, with nothing beside them
	$(PYTEST) -m alone

COMPILED := build/compiled
# Ahead of the source, which PYTHONSAFEPATH keeps from being found in the current
# folder; processes that are started take both with them.
ON_COMPILED := PYTHONPATH=$(CURDIR)/$(COMPILED) PYTHONSAFEPATH=1 FLAVOUR=compiled \
	$(BIN)/python -m

$(COMPILED)/.made: deploy/compile_ahead.py $(shell find engine server -name '*.py') | dev
	$(BIN)/python deploy/compile_ahead.py $(COMPILED)
	@touch $@

compiled: $(COMPILED)/.made ## engine and service compiled ahead of time (needs cc)

test-compiled: compiled ## everything that tests engine or server, on the compiled ones
	$(ON_COMPILED) pytest -n $(JOBS) --dist worksteal \
		tests/unit/engine tests/unit/bots tests/conformance tests/property \
		tests/differential
	$(ON_COMPILED) pytest -n $(JOBS) --dist worksteal -m "not slow" \
		tests/unit/server tests/e2e tests/chaos
	$(ON_COMPILED) cli.conformance tests/conformance/data/*.json*

include clients/clients.mk

test-clients: dev $(CLIENTS:%=client-%) ## bot libraries: each one's tests, then a tournament
	$(PYTEST) -m clients tests/e2e/clients tests/project

test-all: test check test-slow test-alone test-compiled test-clients ## all of the above; what .ci/run runs

test-fresh: ## make demo and make test on a bare Debian 12 (needs root and mmdebstrap)
	tests/fresh_machine/run.sh

test-languages: ## from bot new to results, on machines with one toolchain each (needs root)
	tests/fresh_machine/languages.sh

# Or podman, or buildah.
BUILDER ?= docker

image: ## a container image of the ohhell command, its engine compiled
	$(BUILDER) build --file deploy/Dockerfile --tag ohhell .

test-image: ## build that image, serve and play in it (needs root, buildah, mmdebstrap)
	tests/image/run.sh

mutate: dev ## mutants of the rules of the game, all killed or listed with a reason
	$(BIN)/python -m tests.mutation.mutate

deep: dev test-fresh test-languages test-image mutate ## the long evidence runs
	$(PYTEST) -n $(JOBS) --hypothesis-profile=deep tests/property tests/differential
	$(BIN)/python -m tests.e2e.hostile.guards
	$(BIN)/python -m tests.chaos 300
	$(BIN)/python -m tests.chaos.churn 600

check: dev ## format, lint, types, import contracts, image, generated code, proto style
	@passed=0; failed=0; \
	try() { echo "$$*"; if "$$@"; then passed=$$((passed + 1)); else failed=$$((failed + 1)); fi; }; \
	try $(BIN)/ruff format --check .; \
	try $(BIN)/ruff check .; \
	try $(BIN)/mypy $(CODE); \
	try $(BIN)/lint-imports --no-logo; \
	try $(BIN)/hadolint deploy/Dockerfile; \
	try $(BIN)/python proto/generate.py --check; \
	try $(BIN)/buf lint proto; \
	try $(BIN)/buf breaking proto --against proto/v1.binpb; \
	echo "check: $$passed passed, $$failed failed"; \
	test "$$failed" -eq 0

bench-clients: dev $(CLIENTS:%=client-%) build/clients/lowest-c ## decisions a second, by language of the bot
	$(BIN)/python -m benchmarks.clients

bench: dev ## ratios against peers, measured in the same run
	@$(MAKE) --no-print-directory compiled || echo "bench: only what is not compiled"
	$(BIN)/python -m benchmarks

bench-hostile: dev ## what hostile callers do, here and to bare gRPC
	$(BIN)/python -m benchmarks.hostile

runtime: ## .venv with what the ohhell command needs
	@sh setup.sh runtime

dev: ## .venv with what tests and checks need, too
	@sh setup.sh dev

proto: dev ## regenerate the Python code of proto/, and the reference
	$(BIN)/python proto/generate.py
	$(BIN)/python proto/reference.py

format: dev ## format, and fix what ruff can fix by itself
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The development lock is compiled under the runtime lock, and that of the image under
# both: one version of everything. None of them names an index, a host or a path.
COMPILE := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-header --no-emit-index-url --no-emit-find-links \
	--no-emit-package ohhell-proto --no-emit-package ohhell-bot

lock: ## re-resolve the lock files (needs uv; UPGRADE=1 takes newer versions)
	$(COMPILE) $(if $(UPGRADE),--upgrade) pyproject.toml --group build \
		--output-file requirements.lock
	$(COMPILE) $(if $(UPGRADE),--upgrade) pyproject.toml --group dev \
		--extra postgres --extra fast --constraint requirements.lock \
		--output-file requirements-dev.lock
	$(COMPILE) pyproject.toml --group build \
		--extra postgres --extra fast --constraint requirements-dev.lock \
		--output-file deploy/requirements.lock

clean: ## remove .venv and every cache; runs/ stays
	rm -rf .venv .coverage htmlcov .hypothesis .mypy_cache .pytest_cache .ruff_cache \
		.import_linter_cache
	rm -rf build
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
