# Sininho: everything that people and CI run. `make help` lists it.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# To be set on the command line, as in `make run ADDR=localhost:9000`.
ADDR ?= localhost:8080
DATA ?= .sininho
# What is tested with the race detector: the packages that run things concurrently, those that take longest first.
RACE ?= $(addprefix ./server/internal/,delivery postgres live pictures analytics events group guard jobs push/... relay)
GOTESTFLAGS ?= -count=1 -timeout 12m -vet=off
BENCHFLAGS ?=
PYTHON ?= python3
RELEASEFLAGS ?=

# Programs that .ci/unpack-packages provides to users who may not install them; the system's own come first.
export PATH := $(PATH):$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/sininho/packages/bin

# Version control information goes into the binaries where git can be asked (it refuses in another user's clone).
GOBUILDFLAGS := $(if $(shell git rev-parse --verify --quiet HEAD 2>/dev/null),,-buildvcs=false)

# Without xDS, which the Firebase SDK brings along by way of Cloud Storage and nothing here uses: a quarter of the
# size of the server.
export GOFLAGS := $(strip $(GOFLAGS) -tags=disable_grpc_modules)

SDK := sdk-ts/dist/index.js
WEBUI := server/internal/webui/dist/index.html
LINTER := bin/tools/golangci-lint
S3_STORE := bin/tools/versitygw

# Folders count as sources too, so that a removed file is noticed.
SDK_SOURCES := package-lock.json $(wildcard sdk-ts/*.json) $(shell find sdk-ts/src 2>/dev/null)
WEB_SOURCES := $(wildcard webapp/*.json webapp/*.html webapp/*.ts webapp/*.js webapp/*.mjs webapp/*.css) \
	$(shell find webapp/src webapp/public webapp/scripts -not -name '*.test.ts' -not -name '*.test.tsx' 2>/dev/null)

##@ Using it

.PHONY: help
help: ## List what make can do
	@awk 'BEGIN { FS = ":.*## " } \
		/^##@ / { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z0-9-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: run
run: build ## Build and serve everything on http://localhost:8080, data in .sininho (ADDR=, DATA=)
	@exec bin/sininho-server dev --addr $(ADDR) --data "$(DATA)"

.PHONY: build
build: tools $(WEBUI) ## Build bin/sininho-server (web app inside) and bin/sininho
	@go build $(GOBUILDFLAGS) -o bin/ ./server/cmd/sininho-server ./cli/cmd/sininho

.PHONY: db-reset
db-reset: ## Remove the data of `make run`, after asking (CONFIRM=yes does not ask)
	@.ci/db-reset "$(DATA)"

.PHONY: clean
clean: ## Remove what was built and installed here; data is kept
	@rm -rf bin dist sdk-ts/dist node_modules webapp/node_modules sdk-ts/node_modules openapi/node_modules \
		webapp/dist webapp/test-results webapp/playwright-report
	@find server/internal/webui/dist -mindepth 1 -not -name .gitkeep -delete

##@ Working on it

.PHONY: check
check: tools $(LINTER) $(SDK) $(WEBUI) ## Check in a minute, before each commit: what needs neither PostgreSQL nor a browser
	@.ci/check

.PHONY: test
test: ## Run the tests of every change, installing what they need: Go, TypeScript, browser
	@.ci/check-tools
	@.ci/system-packages $(if $(RACE),cc) alertmanager pgbouncer shell chromium fonts dbus
	@$(MAKE) test-go
	@$(MAKE) test-ts
	@$(MAKE) e2e

.PHONY: test-go
test-go: build $(S3_STORE) ## Run the Go tests (RACE=./... all with the race detector, RACE= none)
	@.ci/system-packages $(if $(RACE),cc) alertmanager pgbouncer shell
	@.ci/test-go "$(RACE)" $(GOTESTFLAGS)

.PHONY: test-lab
test-lab: build ## Run the tests of the laboratory: faults and hostile neighbours for some seconds each, monitoring
	@.ci/system-packages alertmanager prometheus pgbouncer
	@.ci/test-lab $(GOTESTFLAGS)

.PHONY: test-faults
test-faults: build ## Break things on purpose, for some minutes: nodes, PostgreSQL, the network, the push service
	@.ci/system-packages pgbouncer
	@FAULTS=all go test $(GOTESTFLAGS) -timeout 25m -parallel 6 ./server/lab/faults

.PHONY: test-neighbours
test-neighbours: build ## Measure an ordinary reader beside each attack of a hostile account, for some minutes
	@NEIGHBOURS=all go test $(GOTESTFLAGS) -timeout 30m -v ./server/lab/neighbours

.PHONY: test-foreign
test-foreign: build ## Publish with real libraries of others, such as Apprise; needs Python and its registry
	@.ci/test-foreign $(GOTESTFLAGS)

.PHONY: test-attacks
test-attacks: build ## Try every attack of docs/threat-model.md; `make test-go` and `make test-lab` run these too
	@.ci/test-attacks $(GOTESTFLAGS)

.PHONY: test-input
test-input: build ## Send 100,000 generated requests and 50,000 raw ones, and compare feeds with a model in 10,000 runs
	@INPUT=all go test $(GOTESTFLAGS) -timeout 60m -v -run 'TestBadInput$$' ./server/lab/servertest
	@RAPID_CHECKS=5000 go test $(GOTESTFLAGS) -timeout 90m -v -run 'TestPagesAgreeWithAModel$$' ./server/internal/postgres

.PHONY: fuzz
fuzz: ## Run every fuzz target of both modules, each for FUZZTIME (30s)
	@.ci/fuzz

.PHONY: mutate
mutate: ## Try small wrong changes of the rules and the judge, and list those that no test of their package notices (PACKAGES=...)
	@go run -C .ci/mutate . $(addprefix $(CURDIR)/,$(or $(PACKAGES),pkg/rules server/internal/core server/lab/simulation/checker))

.PHONY: vulnerabilities
vulnerabilities: tools ## Look for known vulnerabilities in Go modules, Go itself and npm packages
	@.ci/vulnerabilities

.PHONY: simulate
simulate: build ## Run random faults from a seed, and judge the history (SEED=7, or SEEDS=500 FROM=1, PARALLEL=2)
	@SEED="$(SEED)" SEEDS="$(SEEDS)" FROM="$(FROM)" HISTORIES="$(CURDIR)/simulation-results" go test -count=1 \
		-timeout 0 -vet=off -parallel $(or $(PARALLEL),2) -run TestSeeds ./server/lab/simulation

.PHONY: rehearse-restore
rehearse-restore: build ## Back up and restore a database with a million notifications while clients publish
	@REHEARSE=1 go test $(GOTESTFLAGS) -v -run TestRehearsal ./server/lab/faults

.PHONY: test-postgres
test-postgres: ## Run the tests of everything that speaks SQL on each PostgreSQL from 13 on, for half an hour
	@.ci/test-postgres

.PHONY: test-release
test-release: tools $(WEBUI) ## Build a release twice and compare; run it as in production, and upgrade it under load
	@.ci/system-packages python shell pgbouncer prometheus production
	@go -C .ci/release test $(GOTESTFLAGS) .
	@go run -C .ci/release . -version v0.0.0-test -dist "$(CURDIR)/bin/release" \
		-only sininho-server_$(shell go env GOOS)_$(shell go env GOARCH)
	@RELEASE="$(CURDIR)/bin/release" go test $(GOTESTFLAGS) -v ./server/lab/production

.PHONY: test-ts
test-ts: build ## Run the TypeScript tests: the SDK's, against a server too, and the web app's
	@echo "==> TypeScript tests"
	@npm run --silent test -w sdk-ts
	@npm run --silent test -w webapp

.PHONY: test-py
test-py: build ## Run the tests of the Python SDK, against a server too, and of its package (PYTHON="python3.10 python3.13")
	@.ci/system-packages python
	@.ci/test-py $(PYTHON)

.PHONY: e2e
e2e: build ## Run the browser tests (E2E=all also what takes too long for every change)
	@.ci/system-packages chromium fonts $(if $(filter all,$(E2E)),firefox) dbus
	@go build $(GOBUILDFLAGS) -o bin/notifyd ./webapp/e2e/notifyd
	@echo "==> Browser tests"
	@dbus-run-session -- npm run --silent e2e -w webapp

.PHONY: generate
generate: tools ## Regenerate all that is generated: from the contracts in openapi/, routes, settings, commands
	@.ci/generate

.PHONY: baseline
baseline: ## Take the contract as what clients rely on from now on (at a release)
	@cp openapi/sininho.yaml openapi/waitlist.yaml .ci/contract/baseline/

.PHONY: tag
tag: ## Commit and tag a release of both Go modules here, and say how to push it (VERSION=v0.4.0)
	@.ci/tag "$(VERSION)"

.PHONY: release
release: tools $(WEBUI) ## Build all that a release publishes into dist/, the same bytes for the same commit (VERSION=v0.4.0)
	@.ci/system-packages python
	@go run -C .ci/release . -version "$(VERSION)" -dist "$(CURDIR)/dist" $(RELEASEFLAGS)

.PHONY: format
format: tools $(LINTER) ## Format Go, TypeScript, CSS and Python
	@$(LINTER) fmt
	@npm run --silent format
	@! tools=$$(.ci/python-env $(firstword $(PYTHON))) || "$$tools" -m ruff format --no-cache --quiet sdk-py

.PHONY: lint
lint: tools $(LINTER) $(SDK) ## Run the linters of Go, TypeScript and the contracts
	@$(LINTER) run ./...
	@cd pkg && ../$(LINTER) run ./...
	@npm run --silent lint -w webapp
	@node_modules/.bin/oxlint --deny-warnings sdk-ts/src sdk-ts/test sdk-ts/scripts
	@npm run --silent lint -w openapi

.PHONY: verify
verify: tools $(LINTER) $(SDK) $(WEBUI) ## Check formatting, lint, types, contracts, sizes, and that generated code is up to date
	@.ci/verify

.PHONY: size
size: tools ## Count what there is to understand: lines by part, packages, settings, long and complex functions
	@go run ./.ci/size
	@echo && echo "TypeScript functions with a complexity above 15"
	@node_modules/.bin/oxlint --format unix webapp/src sdk-ts/src | grep 'complexity of' || echo "     0"

.PHONY: bench
bench: build ## Measure against limits in the same run; a table, and JSON in bench-results (BENCHFLAGS="-only publish")
	@go run ./server/lab/bench $(BENCHFLAGS)

.PHONY: web-budget
web-budget: build ## Hold the web app's sizes and times against their bars; a table
	@.ci/system-packages chromium dbus
	@npm run --silent sizes -w webapp
	@dbus-run-session -- npm run --silent budget -w webapp

.PHONY: screenshots
screenshots: build ## Take pictures of every screen into screenshots/
	@.ci/system-packages chromium dbus
	@dbus-run-session -- npm run --silent screenshots -w webapp

# What is behind the above.

.PHONY: tools
tools:
	@.ci/check-tools
	@.ci/node-modules

$(SDK): $(SDK_SOURCES) | tools
	@echo "==> Building the TypeScript SDK"
	@npm run --silent build -w sdk-ts
	@touch $@

# By the sources of the SDK, not by its build: tests and type checks build it again, and the same. The build of the web
# app empties its folder, which git wants to keep.
$(WEBUI): $(SDK_SOURCES) $(WEB_SOURCES) | tools $(SDK)
	@echo "==> Building the web app"
	@npm run --silent build -w webapp
	@touch $@ $(@D)/.gitkeep

$(LINTER): .ci/lint/go.mod .ci/lint/go.sum
	@echo "==> Building golangci-lint (once; takes about a minute)"
	@go build -C .ci/lint -o "$(CURDIR)/$@" github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	@touch $@

# A store that speaks S3, for the tests of uploaded pictures.
$(S3_STORE): .ci/s3/go.mod .ci/s3/go.sum
	@echo "==> Building versitygw (once; takes about a minute)"
	@go build -C .ci/s3 -o "$(CURDIR)/$@" github.com/versity/versitygw/cmd/versitygw
	@touch $@
