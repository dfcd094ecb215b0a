# Every target first runs scripts/bootstrap, which returns at once when nothing is missing. CONTRIBUTING.md explains each.
SWIFT ?= swift
SEEDS ?= 1000
SECONDS_EACH ?= 60
export SWIFT SECONDS_EACH

LINTED := $(wildcard Sources Tests Benchmarks Examples Fuzz Package.swift)
SCRIPTS := $(wildcard scripts/*) .ci/run

.PHONY: help bootstrap build demo test lint fixtures bench bench-docs bench-tiny soak fuzz mutants release clean
.DEFAULT_GOAL := help

help: bootstrap
	@echo "make demo              generate, import, sync three replicas and show that they agree"
	@echo "make test              every test: debug, then the exhaustive ones in release"
	@echo "make lint              the format of every source, the syntax of every script"
	@echo "make fixtures          write the golden files and the example in SPEC.md anew"
	@echo "make bench             the benchmarks beside their peers (SCALE=1: full sizes); bench-docs publishes the results"
	@echo "make bench-tiny        every benchmark in seconds, results checked"
	@echo "make soak SEEDS=10000  simulated replicas from many seeds"
	@echo "make fuzz              fuzz each parser for SECONDS_EACH=60"
	@echo "make mutants           break safety lines on purpose; a named test must fail for each"
	@echo "make build, release    a debug build of everything; a stripped build/strandline"
	@echo "make clean             remove all that was built"

bootstrap:
	@scripts/bootstrap

build: bootstrap
	$(SWIFT) build --build-tests

demo: bootstrap
	$(SWIFT) build -c release --product strandline 1>&2
	@rm -rf build/demo && mkdir -p build
	.build/release/strandline demo build/demo

# Beyond this many at once tests only wait longer for each other.
TESTS_AT_ONCE = 8

# The exhaustive loops cut, flip or fail every single byte or call; only an optimised build has the time for them.
test: bootstrap
	$(SWIFT) test --disable-xctest --parallel --experimental-maximum-parallelization-width $(TESTS_AT_ONCE) --skip Exhaustive
	$(SWIFT) test --disable-xctest -c release --filter Exhaustive

lint: bootstrap
	$(SWIFT) format lint --strict --recursive --parallel $(LINTED)
	for script in $(SCRIPTS); do bash -n "$$script" || exit 1; done

fixtures: bootstrap
	rm -rf Tests/Fixtures/format-v1-draft
	STRANDLINE_WRITE_FIXTURES=1 $(SWIFT) test --disable-xctest --filter FormatFixturesTests --filter WorkedExampleTests

# Beside the peers, whose libraries their own bootstrap installs. SCALE=1 for the full sizes; BENCH="--only bulk,single --full".
SCALE ?= 0.2
bench: bootstrap
	Benchmarks/Peers/bootstrap
	$(MAKE) -C Benchmarks/Peers
	$(SWIFT) build -c release --product strandline-bench 1>&2
	.build/release/strandline-bench --scale $(SCALE) $(BENCH)

# docs/BENCHMARKS.md and its charts from the last results of `make bench`.
bench-docs: bootstrap
	$(SWIFT) build -c release --product strandline-bench 1>&2
	.build/release/strandline-bench report --output build/bench --page docs/BENCHMARKS.md

# Every benchmark at a size of seconds, its results checked; beside those peers whose libraries are here.
bench-tiny: bootstrap
	$(MAKE) -C Benchmarks/Peers available
	$(SWIFT) build -c release --product strandline-bench 1>&2
	.build/release/strandline-bench --tiny --output build/bench-tiny

soak: bootstrap
	STRANDLINE_SEEDS=$(SEEDS) $(SWIFT) test --disable-xctest -c release --filter Soak

fuzz: bootstrap
	scripts/fuzz

mutants: bootstrap
	scripts/mutants

release: bootstrap
	$(SWIFT) build -c release --static-swift-stdlib --product strandline
	mkdir -p build
	cp .build/release/strandline build/strandline
	strip build/strandline

clean: bootstrap
	$(SWIFT) package clean
	rm -rf build
