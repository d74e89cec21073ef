# Everything a fresh machine with the Swift toolchain needs: `make demo` and `make test`.

SWIFT ?= swift
PREFIX ?= /usr/local
BUILD_FLAGS = -c release --static-swift-stdlib
BINARY = .build/release/quoin
DEMO_STORE = .build/demo-store

.PHONY: demo test build bench bench-smoke format lint install dependencies clean

demo: build
	@rm -rf $(DEMO_STORE)
	$(BINARY) import data/FDX.json data/wiki-sample.csv --store $(DEMO_STORE)
	$(BINARY) scan FDX --where 'high in (80, 83) and low in (78, 82) and adj_high in (75, 85)' \
	  --columns ticker,date,high,low,adj_high,volume --format table --store $(DEMO_STORE)

# In debug, where every check of the language is on, and in release, where only the code's own are.
test: dependencies
	$(SWIFT) test
	$(SWIFT) test -c release -Xswiftc -enable-testing --scratch-path .build/release-tests
	$(MAKE) bench-smoke
	Tests/Stranger/run

build: dependencies
	$(SWIFT) build $(BUILD_FLAGS)

bench: build
	.build/release/quoin-bench .build/bench-store

# The benchmarks on a small table: for the tests, so that they never rot.
bench-smoke:
	rm -rf .build/smoke-store
	$(SWIFT) run -c release -Xswiftc -enable-testing --scratch-path .build/release-tests quoin-bench .build/smoke-store 100000 1

install: build
	install -d '$(PREFIX)/bin'
	install -m 755 $(BINARY) '$(PREFIX)/bin/quoin'

format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests Benchmarks

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Benchmarks

# The two C libraries, installed only where they are missing.
dependencies:
	@.ci/install-dependencies

clean:
	rm -rf .build
