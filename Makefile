# `make run` runs the site, `make test` tests it. Both do all their own set-up.
# Needs: cargo, a C compiler, Node 20.19 or later, npm.

CARGO ?= cargo
NPM ?= npm --prefix web
NPM_QUIET = --no-audit --no-fund --no-progress --loglevel=error

# A temporary PostgreSQL that runs as long as the command after it.
WITH_POSTGRES = $(CARGO) run -q -p private-pg --features migrate --bin with-postgres -- \
	--root . --temp --unsafe-fast
# The same with the migrated schema, for checking queries.
WITH_SCHEMA = $(WITH_POSTGRES) --migrate server/migrations

.PHONY: run dev build web test check test-rust test-web e2e faults proofs fuzz look lighthouse bench \
	bench-growth queries docs fmt clean help returns

help:
	@grep -E '^## ' Makefile | sed 's/^## /  make /'

## run         build quickly and serve the site, the office and a private database
run: web
	@$(CARGO) build --profile quick -p capiz
	@./target/quick/capiz serve

## dev         the same with a debug build, for work on the server; the web is served from web/dist
dev: web
	@$(CARGO) run -q -p capiz -- serve

## build       make target/release/capiz with the web inside, as it ships
build: web
	@$(CARGO) build --release -p capiz

web/node_modules/.installed: web/package.json web/package-lock.json
	@$(NPM) install $(NPM_QUIET)
	@touch $@

## web         build web/dist
web: web/node_modules/.installed
	@$(NPM) run --silent build

## test        everything: format, lints, Rust, web and browser tests, size limits, generated files
test:
	@./scripts/test.sh

## check       only types and lints
check: web/node_modules/.installed
	@$(CARGO) clippy -q --workspace --all-targets --all-features -- -D warnings
	@$(NPM) run --silent check && $(NPM) run --silent lint

## test-rust   Rust tests on a temporary PostgreSQL (ARGS="-- name" for one test)
test-rust: web/node_modules/.installed
	@$(WITH_POSTGRES) -- $(CARGO) test --workspace --no-fail-fast $(ARGS)

## test-web    web unit tests
test-web: web/node_modules/.installed
	@$(NPM) run --silent test

## e2e         browser tests in Chromium against the real server
e2e: web
	@$(CARGO) build -q -p capiz
	@$(NPM) run --silent e2e -- $(ARGS)

# Sizes of `make faults`; docs/faults.md explains each.
FAULT_CYCLES ?= 50
FAULT_ATTEMPTS ?= 1000000
FAULT_KEYS ?= 100000
FAULT_CUTS ?= 1000
FAULT_DISCONNECTS ?= 10000

## faults      fault tests at full size: kill servers and databases, cut connections, fill disks
faults: export FAULT_CYCLES := $(FAULT_CYCLES)
faults: export FAULT_ATTEMPTS := $(FAULT_ATTEMPTS)
faults: export FAULT_KEYS := $(FAULT_KEYS)
faults: export FAULT_CUTS := $(FAULT_CUTS)
faults: export FAULT_DISCONNECTS := $(FAULT_DISCONNECTS)
faults: web/node_modules/.installed
	@$(CARGO) test --release --features fail-points -p capiz --test faults -- --nocapture $(ARGS)
	@$(if $(ARGS),,$(MAKE) proofs)

FAULT_RACERS ?= 1000
FAULT_REPLAYS ?= 10000
FAULT_LOGINS ?= 10000
FAULT_GUESSES ?= 1000000
FAULT_FLIPS ?= 1000000
FAULT_BOTS ?= 100000

## proofs      attacks on identity at full size: races, replays, timing, guessing, SMS pumping
proofs: export FAULT_RACERS := $(FAULT_RACERS)
proofs: export FAULT_REPLAYS := $(FAULT_REPLAYS)
proofs: export FAULT_LOGINS := $(FAULT_LOGINS)
proofs: export FAULT_GUESSES := $(FAULT_GUESSES)
proofs: export FAULT_FLIPS := $(FAULT_FLIPS)
proofs: export FAULT_BOTS := $(FAULT_BOTS)
proofs: web/node_modules/.installed
	@$(WITH_POSTGRES) -- $(CARGO) test --release --features fail-points -p capiz --test it -- \
		--nocapture --test-threads 1 $(or $(ARGS),races:: replays:: timing:: stuffing:: pumping::)

## fuzz        fuzz the API with Schemathesis (needs python3)
fuzz: build
	@./scripts/fuzz/run.sh $(ARGS)

## look        screenshots of every page, width, theme and language in var/look; checks layout stability
look: web
	@$(CARGO) build -q -p capiz
	@$(NPM) run --silent look

## lighthouse  Lighthouse on the home page of the release build, five times
lighthouse: build
	@$(NPM) run --silent lighthouse

## bench       benchmarks, as ratios to references measured in the same run
bench: build
	@$(CARGO) build -q --release -p capiz-bench
	@./target/release/capiz-bench ./target/release/capiz

## bench-growth  rounds per second while the ledger grows to ten million transfers
bench-growth: web
	@$(CARGO) build -q --release -p capiz-bench
	@./target/release/capiz-bench growth

## queries     refresh .sqlx/ after a query or a migration has changed
queries: web/node_modules/.installed
	@./scripts/queries.sh write

## docs        refresh openapi.json, the web's API types and the tables in docs/
docs: web/node_modules/.installed
	@CAPIZ_WRITE_DOCS=1 $(WITH_POSTGRES) -- $(CARGO) test -q -p capiz --test it docs:: > /dev/null
	@$(NPM) run --silent api:types

## fmt         format all code
fmt: web/node_modules/.installed
	@$(CARGO) fmt --all
	@$(NPM) run --silent format

## clean       remove everything built or installed, but not var/
clean:
	@rm -rf target web/node_modules web/dist web/tools/api-gen/node_modules

# Rounds of every choice in `make returns`; `make test` plays fewer.
RETURN_ROUNDS ?= 10000000

## returns     return to player of every game: counted, played ten million times, mappings by χ²
returns: export RETURN_ROUNDS := $(RETURN_ROUNDS)
returns:
	@$(CARGO) test -q --release -p capiz-rules
	@$(CARGO) run -q --release -p capiz-rules --example returns
