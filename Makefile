# Everything that a person or CI does here. `make help` lists the targets.
#
# A target installs what it needs the first time and does nothing about it the
# next time. Nothing outside this folder is written, besides Debian packages
# that are missing (`setup`, `setup-test`) and the caches of cargo and npm.

SHELL := /bin/bash
.DEFAULT_GOAL := help
# Two steps of one target never run side by side: each wants all cores.
.NOTPARALLEL:

# With a HOME that is not the one of rustup, the cargo on the PATH would not find
# its toolchain.
RUST_OWNER := $(patsubst %/.cargo/bin/cargo,%,$(shell command -v cargo))
ifneq ($(wildcard $(RUST_OWNER)/.rustup),)
export RUSTUP_HOME ?= $(RUST_OWNER)/.rustup
export CARGO_HOME ?= $(RUST_OWNER)/.cargo
endif

NPM_CI := npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
# Written when `npm ci` is through. It takes the folder away first, so half an
# installation never looks like a whole one.
PAGE_READY := web/node_modules/.ready
CLI_READY := compat/node_modules/.ready
PAGE := web/dist/index.html
PAGE_SOURCES = $(shell find web/src web/public -type f 2>/dev/null) \
	$(wildcard web/index.html web/vite.config.ts web/tsconfig.json)

.PHONY: help
help: ## Lists the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

.PHONY: setup
setup: tools $(PAGE_READY) $(CLI_READY) ## Gets what building and running need: tmux, npm packages, the pinned CLI

.PHONY: setup-test
setup-test: setup ## Gets what the browser tests need too: Chromium
	@scripts/need.sh lints kill chromium

.PHONY: tools
tools:
	@scripts/need.sh cargo cc node npm tmux

$(PAGE_READY): web/package-lock.json
	cd web && $(NPM_CI)
	@touch $@

$(CLI_READY): compat/package-lock.json
	cd compat && $(NPM_CI)
	@touch $@

.PHONY: build
build: setup $(PAGE) ## Builds the page and target/release/seamux
	@# The page is inside the binary, and cargo does not see that it changed.
	@[ target/release/seamux -nt $(PAGE) ] || touch src/http/page.rs
	cargo build --release --locked

$(PAGE): $(PAGE_READY) $(PAGE_SOURCES)
	npm --prefix web run build

.PHONY: run
run: build ## Builds and starts: your agent CLI if it is signed in, else the demo (ARGS="..." are its flags)
	@exec scripts/run.sh target/release/seamux $(ARGS)

.PHONY: demo
demo: build ## Builds and starts the demo (ARGS="..." are its flags)
	@exec scripts/run.sh --demo target/release/seamux $(ARGS)

.PHONY: test
test: setup-test ## Runs everything that CI runs
	@scripts/test.sh

.PHONY: bench
bench: ## Runs the benchmarks
	cargo bench --locked --bench '*'

FUZZ_SECONDS ?= 60
.PHONY: fuzz
fuzz: ## Fuzzes the mapper, its pages and the tailer (FUZZ_SECONDS=1800 for a long run)
	cargo test --locked --test fuzz -- --seconds $(FUZZ_SECONDS)

# The same checks, led by what of the code was reached. Needs the nightly
# toolchain and `cargo install cargo-fuzz`.
.PHONY: fuzz-deep
fuzz-deep: ## Fuzzes the mapper and the tailer with cargo-fuzz
	@for target in mapper tailer; do \
		mkdir -p fuzz/target/corpus/$$target && \
		cargo +nightly fuzz run $$target fuzz/target/corpus/$$target fuzz/corpus/$$target -- \
			-max_total_time=$(FUZZ_SECONDS) -timeout=20 -max_len=4096 || exit 1; \
	done

.PHONY: api
api: ## Writes docs/openapi.json and the page's types anew, from the Rust types
	cargo build --locked --example openapi
	target/debug/examples/openapi > docs/openapi.json
	npm --prefix web run api

.PHONY: fmt
fmt: ## Formats the Rust code
	cargo fmt

.PHONY: lint
lint: setup ## Checks form, lints and types, and runs nothing
	cargo fmt --check
	cargo clippy --locked --all-targets -- -D warnings
	npm --prefix web run lint
	npm --prefix web run typecheck

.PHONY: clean
clean: ## Removes what was built and installed in this folder
	rm -rf target web/dist web/test-results web/node_modules compat/node_modules
