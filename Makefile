# Everything a fresh machine with the Swift toolchain needs. `make` lists the targets: those with a text after ##.

SWIFT ?= swift
PREFIX ?= /usr/local
# Without what only a debugger reads: building takes 9 % less of the processor, and the program has half the size.
BUILD_FLAGS = -c release --static-swift-stdlib -debug-info-format none
BINARIES = .build/release
BIN = $(DESTDIR)$(PREFIX)/bin
DEMO_STORE = .build/demo-store
RELEASE_TESTS = -c release -debug-info-format none -Xswiftc -enable-testing --scratch-path .build/release-tests
SOURCES = Package.swift Sources Tests Benchmarks Examples/Package.swift Examples/Sources Examples/Tutorial Examples/GRDB

.PHONY: help demo test build build-quoin bench bench-smoke format lint install install-quoin dependencies clean

help:
	@echo 'make TARGET, where TARGET is'
	@awk -F ':.* ## ' '/^[a-z-]+:.* ## / { printf "  %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

demo: build-quoin ## builds the command quoin, imports the sample data and scans it
	@rm -rf $(DEMO_STORE)
	$(BINARIES)/quoin import data/FDX.json data/wiki-sample.csv --store $(DEMO_STORE)
	$(BINARIES)/quoin scan FDX --where '80 < high < 83 and 78 < low < 82 and 75 < adj_high < 85' \
	  --columns ticker,date,high,low,adj_high,volume --format table --store $(DEMO_STORE)

# Optimized as a release is, with every check of the language and our own: what no check stops does the same without them.
test: dependencies lint ## lints, and runs all tests, optimized and with every check of the language
	@.ci/install-test-tools
	$(MAKE) release-tests
	Tests/run $(TESTED)
	$(SIDE_BY_SIDE) $(OUTSIDE:%=test-%) test-copy-as bench-smoke
	Tests/Fuzz/typecheck $(TESTED)
	Tests/Spark/compile

# Two at a time, for two processors; what one prints comes when it ends.
SIDE_BY_SIDE = $(MAKE) -j2 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)
TESTED = .build/release-tests/release

.PHONY: release-tests
release-tests:
	QUOIN_CHECKED=1 $(SWIFT) build --build-tests $(RELEASE_TESTS)

# What the optimizer might hide, and as a release is, without checks: half an hour each.
.PHONY: test-unoptimized test-unchecked
test-unoptimized: dependencies
	QUOIN_UNOPTIMIZED=1 $(SWIFT) build --build-tests $(RELEASE_TESTS)
	Tests/run $(TESTED)

test-unchecked: dependencies
	$(SWIFT) build --build-tests $(RELEASE_TESTS)
	Tests/run $(TESTED)

# What uses Quoin from outside, the longest first: each has a script called run.
OUTSIDE = Tests/SQL Tests/Embedding Tests/Page Examples Examples/C Tests/PythonClients

.PHONY: $(OUTSIDE:%=test-%) test-copy-as
$(OUTSIDE:%=test-%): test-%:
	MAKEFLAGS= OBJECTS=$(TESTED) $*/run $(TESTED)

test-copy-as: test-Tests/Embedding
	MAKEFLAGS= OBJECTS=$(TESTED) Tests/Page/copyas-run $(TESTED)

# zipline, backtrader, Polars and others against the server: some minutes, most of them for installing.
.PHONY: test-clients
test-clients: build ## runs programs that read Quandl's service or URLs against the server
	Tests/PythonClients/others/run $(BINARIES)

# nginx's static files and a bucket of S3 that moto's server has, under a writer: a minute or two.
.PHONY: test-copies
test-copies: build ## pulls and pushes a store by servers that others have written
	Tests/Copies/run $(BINARIES)

# Spark in a cluster of two processes on this machine: some minutes, most of them for installing.
.PHONY: test-spark
test-spark: spark-jar build-quoin ## runs Spark on a store
	Tests/Spark/run $(BINARIES)

# Qlib's handlers on a store: some minutes, most of them for installing.
.PHONY: test-qlib
test-qlib: wheel build-quoin ## runs Qlib on a store and on its own files
	Tests/Embedding/qlib/run $(BINARIES)

build: dependencies ## builds all programs
	$(SWIFT) build $(BUILD_FLAGS)

# The engine's command alone: the server and the client take minutes to download and build.
build-quoin: dependencies
	$(SWIFT) build $(BUILD_FLAGS) --disable-default-traits --product quoin

# The engine's command and `quoin sql`.
.PHONY: build-sql
build-sql: build-quoin
	$(SWIFT) build $(BUILD_FLAGS) --disable-default-traits --product quoin-sql

# Everything that Benchmarks/README.md tells of, unattended; BENCH='--rows 1000000' tries it out on a smaller table.
BENCH_VENV = .build/bench-venv

bench: build $(BENCH_VENV)/installed ## times the reference queries in Quoin and its peers
	Benchmarks/install-sqlite
	$(SWIFT) build -c release --package-path Benchmarks/SQLite --scratch-path .build/sqlite-bench
	$(BENCH_VENV)/bin/python Benchmarks/run.py $(BENCH)

$(BENCH_VENV)/installed: Benchmarks/Peers/requirements.txt
	python3 -m venv $(BENCH_VENV)
	$(BENCH_VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r Benchmarks/Peers/requirements.txt
	touch $@

# A steady load on the server, for a minute.
.PHONY: bench-server
bench-server: build
	Benchmarks/Server/run

# The page of the server and charts on a terminal, over a market, for a minute.
.PHONY: bench-page
bench-page: build
	Benchmarks/Page/run $(BENCH)

# The Python package beside Polars and pyarrow, for two minutes.
.PHONY: bench-python
bench-python:
	Tests/Embedding/run --install
	.build/embedding/bin/python Benchmarks/Python/run.py $(BENCH)

# Everyday questions that compute something, beside Polars, for some minutes.
.PHONY: bench-questions
bench-questions:
	Tests/Embedding/run --install
	.build/embedding/bin/python Benchmarks/Python/questions.py $(BENCH)

# The alphas of Examples/alphas101.txt beside Polars, one by one, for a quarter of an hour.
.PHONY: bench-alphas
bench-alphas:
	Tests/Embedding/run --install
	.build/embedding/bin/python Benchmarks/Python/alphas.py --rows 2000000 $(BENCH)

# Spark on a store beside Spark on Parquet, for some minutes.
.PHONY: bench-spark
bench-spark: spark-jar build-quoin
	Benchmarks/Spark/run $(BENCH)

# The figures of docs/scale.md, for two minutes.
.PHONY: bench-scale
bench-scale: spark-jar build-quoin
	SPARK_LOCAL_IP=127.0.0.1 QUOIN_SPARK_JAR=$(CURDIR)/.build/spark/quoin-spark.jar \
	  $(SPARK_VENV)/bin/python -W ignore Benchmarks/Spark/scale.py $(BENCH)

# SQL by SQLite beside DuckDB's own table, for two minutes.
.PHONY: bench-sql
bench-sql: build-quoin
	Tests/Embedding/run --install
	.build/embedding/bin/python Benchmarks/SQL/run.py $(BENCH)

# A store that is fed a day at a time, for a minute.
.PHONY: bench-year
bench-year: build-quoin
	python3 Benchmarks/year.py $(BINARIES)/quoin $(BENCH)

# The ways to pack blocks, for some minutes. `make bench` measures them too.
.PHONY: bench-packings
bench-packings: build
	python3 Benchmarks/packings.py $(BENCH)

$(TESTED)/quoin-bench:
	$(MAKE) release-tests

# The Swift cases on a small table: for the tests, so that they never rot.
bench-smoke: $(TESTED)/quoin-bench
	rm -rf .build/bench-smoke
	mkdir -p .build/bench-smoke
	$(TESTED)/quoin-bench smoke .build/bench-smoke data/wiki-sample.csv

PROGRAMS = $(addprefix $(BINARIES)/,quoin quoin-serve quoin-fetch quoin-sql)

# Stripped: the symbols that only a debugger wants are half of each program.
install: build ## installs quoin, quoin-serve, quoin-fetch and quoin-sql in PREFIX/bin
	install -d '$(BIN)'
	install -s -m 755 $(PROGRAMS) '$(BIN)'
	$(call install-manual,$(PROGRAMS))

# A page of the manual for each command of some programs, made from their help.
MAN = $(DESTDIR)$(PREFIX)/share/man/man1
define install-manual
@if command -v python3 >/dev/null 2>&1; then \
  rm -rf .build/man && packaging/make-manual .build/man $(1) && install -d '$(MAN)' && install -m 644 .build/man/*.1 '$(MAN)'; \
  else echo 'quoin: python3 is missing, so the pages of the manual are left out' >&2; fi
endef

install-quoin: build-quoin ## installs quoin alone, without the server and the client
	install -d '$(BIN)'
	install -s -m 755 $(BINARIES)/quoin '$(BIN)'
	$(call install-manual,$(BINARIES)/quoin)

# The library for C: one file, with Swift's libraries in it.
LIBQUOIN = .build/libquoin
VERSION = $(shell sed -n 's/.*version = "\(.*\)"/\1/p' Sources/Quoin/Model/Release.swift)

.PHONY: libquoin build-libquoin install-libquoin
libquoin: $(if $(OBJECTS),,build-libquoin) ## builds libquoin.so, the library for C
	packaging/link-libquoin $(or $(OBJECTS),$(BINARIES)) $(LIBQUOIN)

# Unless OBJECTS is a folder where its objects are already: `make test` has them.
build-libquoin: dependencies
	$(SWIFT) build $(BUILD_FLAGS) --disable-default-traits --product QuoinC

# What `pip install` takes, for any Python from 3.10 on.
.PHONY: wheel
wheel: libquoin ## makes the wheel of the Python package in .build/wheel
	@rm -rf .build/wheel
	python3 Python/build_wheel.py $(LIBQUOIN)/libquoin.so $(VERSION) .build/wheel

# The connector for Spark, compiled with the jars of pyspark.
SPARK_VENV = .build/spark/venv
SPARK_JARS = $(SPARK_VENV)/lib/python3*/site-packages/pyspark/jars

.PHONY: spark-jar
spark-jar: libquoin $(SPARK_VENV)/installed ## makes the connector for Spark, .build/spark/quoin-spark.jar
	Spark/build $(SPARK_JARS) $(LIBQUOIN) .build/spark/quoin-spark.jar

$(SPARK_VENV)/installed: Tests/Spark/requirements.txt
	python3 -m venv $(SPARK_VENV)
	$(SPARK_VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r Tests/Spark/requirements.txt
	touch $@

install-libquoin: libquoin ## installs libquoin.so, its headers and quoin.pc in PREFIX
	install -d '$(DESTDIR)$(PREFIX)/lib/pkgconfig' '$(DESTDIR)$(PREFIX)/include'
	cp -P $(LIBQUOIN)/libquoin.so* '$(DESTDIR)$(PREFIX)/lib'
	install -m 644 Sources/CQuoin/include/quoin.h Sources/CQuoinSQLite/include/quoin_sqlite.h '$(DESTDIR)$(PREFIX)/include'
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' packaging/quoin.pc.in \
	  >'$(DESTDIR)$(PREFIX)/lib/pkgconfig/quoin.pc'

format: ## formats the sources
	$(SWIFT) format --in-place --recursive $(SOURCES)

# Style, and that everything public is documented: see .swift-format.
lint: ## checks style and documentation
	$(SWIFT) format lint --strict --recursive $(SOURCES)
	@large=$$(git ls-files -z 2>/dev/null | xargs -0 ls -ln | awk '$$5 > 1000000 { print $$NF }'); \
	  [ -z "$$large" ] || { echo "files of over 1 MB don't belong here: $$large" >&2; exit 1; }

# What is public, in Tests/PublicInterface.txt: after each change of it that is meant.
.PHONY: interface
interface: dependencies
	QUOIN_WRITE_INTERFACE=1 $(SWIFT) test --filter InterfaceTests

# The lists that other languages and the documentation repeat, from the tables of functions, fields and attributes.
.PHONY: describe
describe: dependencies ## writes the lists of functions, fields and attributes anew
	QUOIN_WRITE_DOCS=1 $(SWIFT) test --filter 'LanguageReferenceTests|WrittenListTests|FileListTests|FaceTests'

# The libraries' documentation, in .build/docs. A warning is an error.
DOCUMENTED = Quoin DataFetcher QuandlClient QuoinServer

.PHONY: docs
docs: dependencies ## makes the documentation of the libraries
	@mkdir -p .build/docs
	for library in $(DOCUMENTED); do \
	  QUOIN_DOCS=1 $(SWIFT) package --allow-writing-to-directory .build/docs generate-documentation --target $$library \
	    --warnings-as-errors --output-path .build/docs/$$library.doccarchive || exit 1; \
	done

# The C libraries, installed only where they are missing.
dependencies:
	@.ci/install-dependencies

clean:
	rm -rf .build

# The figures of the promises. LONG=LOG adds those of the long forms: make soak 2>&1 | tee LOG
.PHONY: promises
promises: dependencies ## runs the tests in release and writes their figures into Tests/PROMISES.md
	@mkdir -p .build
	$(SWIFT) build --build-tests $(RELEASE_TESTS)
	QUOIN_ROUNDS=4 Tests/run .build/release-tests/release | tee .build/promises.log
	Tests/promises .build/promises.log $(LONG:%=--long %)

# The long forms of the tests; each target can be made alone.
.PHONY: soak
soak: soak-rounds soak-crash soak-process soak-damage soak-scans soak-forms soak-embedding soak-signed soak-questions soak-fuzz ## runs the long forms of the tests

# All tests, with four times as much of everything random.
.PHONY: soak-rounds
soak-rounds: release-tests
	QUOIN_ROUNDS=4 Tests/run $(TESTED)

# A hundred thousand random tables in random forms, and as many damaged ones.
.PHONY: soak-forms
soak-forms: dependencies
	QUOIN_FORMS=100000 QUOIN_DAMAGED_FORMS=100000 $(SWIFT) test $(RELEASE_TESTS) --filter RandomFormTests

# Stores whose bytes are forged and whose checksums are right.
.PHONY: soak-signed
soak-signed: dependencies
	QUOIN_SIGNED=10000000 $(SWIFT) test $(RELEASE_TESTS) --filter SignedStoreTests

# A hundred thousand questions that the grammar makes, each under a clock and a memory limit, and as many expressions, each in a
# list of columns, a condition, an order and an aggregate.
.PHONY: soak-questions
soak-questions: dependencies
	QUOIN_FUZZ_QUESTIONS=100000 QUOIN_FUZZ_REQUESTS=10000 QUOIN_EXPRESSIONS=100000 QUOIN_TEXTS=1000000 $(SWIFT) test $(RELEASE_TESTS) --filter 'QuestionFuzzTests|OneReaderTests|GrammarTests'

# A million random scans and as many comparisons that are decided in float32, and ten thousand sequences of fifty random writes.
.PHONY: soak-scans
soak-scans: dependencies
	QUOIN_SCANS=1000000 QUOIN_NARROW=1000000 QUOIN_SEQUENCES=10000 $(SWIFT) test $(RELEASE_TESTS) --filter 'RandomScanTests|NarrowTests|StoreModelTests'

# A million Arrow streams on four threads, ten million random calls of the functions for C, random statements of SQL beside SQLite's own
# tables and DuckDB's, and statements during a thousand commits.
.PHONY: soak-embedding
soak-embedding: dependencies
	QUOIN_C_STREAMS=1000000 QUOIN_C_CALLS=10000000 $(SWIFT) test $(RELEASE_TESTS) --filter 'LifetimeTests|RandomCallTests'
	QUOIN_STATEMENTS=20000 QUOIN_ARGUMENTS=20000 QUOIN_COMMITS=1000 Tests/SQL/run .build/release-tests/release
	Tests/Embedding/run --install
	QUOIN=$(CURDIR)/.build/release-tests/release/quoin .build/embedding/bin/python Tests/SQL/differential.py 10000

# More states of each disk that the power fails on; another QUOIN_SEED takes others.
.PHONY: soak-crash
soak-crash: dependencies
	QUOIN_CRASH_STATES=$${QUOIN_CRASH_STATES:-30000} $(SWIFT) test $(RELEASE_TESTS) --filter 'CrashTests|CrashMutantTests|FaultTests'

# A million snapshots read by processes that are killed and stopped, a thousand races of sixteen writers, a thousand cuts of
# files under eight readers, and every fault at every system call of every command that writes.
.PHONY: soak-process
soak-process: dependencies
	QUOIN_SNAPSHOTS=1000000 QUOIN_LOCK_ROUNDS=1000 QUOIN_CUTS=1000 QUOIN_FAULTS=all $(SWIFT) test $(RELEASE_TESTS) --filter 'SnapshotTests|WriterRaceTests|ShrinkingFileTests|InjectedFaultTests'

# The long forms of the tests of damage: every bit of a larger store, and random damages of one of 3,200 tickers.
.PHONY: soak-damage
soak-damage: dependencies
	QUOIN_DAMAGE_ROWS=300 QUOIN_DAMAGES=100 QUOIN_DAMAGE_TICKERS=3200 QUOIN_MARKETS=2000 \
	  $(SWIFT) test $(RELEASE_TESTS) \
	  --filter 'EveryDamageTests|RandomDamageTests|RepairTests'

# Makes up inputs of each kind that comes from outside, for SECONDS seconds each: make fuzz SECONDS=60 TARGET=block.
# FUZZ_BUILD='debug --sanitize address' looks for other mistakes, and takes longer.
FUZZ_TARGETS = block manifest column-file csv json ndjson packed predicate expression aggregates
FUZZ_BUILD = release
TARGET = $(FUZZ_TARGETS)
SECONDS = 60
FUZZ = .build/fuzz/$(firstword $(FUZZ_BUILD))/quoin-fuzz

.PHONY: fuzz soak-fuzz fuzz-program
fuzz: $(TARGET:%=fuzz-of-%) ## looks for inputs that end the program

fuzz-of-%: fuzz-program
	@mkdir -p .build/fuzz/found/$*
	@echo "$*, $(SECONDS) s:"
	@QUOIN_FUZZ_TARGET=$* SWIFT_BACKTRACE=enable=no $(FUZZ) -max_total_time=$(SECONDS) -timeout=10 \
	  -verbosity=0 -print_final_stats=1 -artifact_prefix=.build/fuzz/found/$*- \
	  .build/fuzz/found/$* Tests/Fuzz/Corpus/$*

fuzz-program: dependencies
	QUOIN_FUZZ=1 $(SWIFT) build -c $(FUZZ_BUILD) --product quoin-fuzz --sanitize fuzzer \
	  -Xswiftc -enable-testing --scratch-path .build/fuzz

# A hundred million inputs of each of the two kinds that lie on the disk, beside each other.
soak-fuzz:
	@echo 'block and manifest, 40 minutes at the same time; what they print comes at the end'
	$(MAKE) -j2 --output-sync fuzz TARGET='block manifest' SECONDS=2400

# The tests under address and under thread sanitizer: all of them in an hour, fewer with SANITIZE='--filter Storage'.
# Leaks are not looked for: a pointer in an enum has bits of the case in it, so the sanitizer takes it for lost. Freed
# memory is kept back, but no more of it than lets the tests of the server's memory hold. Thread sanitizer is not for the
# service and the network, where it takes the library's locks, which it can't see, for races.
.PHONY: sanitize
sanitize: dependencies ## runs the tests under address and thread sanitizer
	QUOIN_SHARED_WRITES=10 ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=16 $(SWIFT) test --sanitize address --scratch-path .build/address $(SANITIZE)
	QUOIN_SHARED_WRITES=10 TSAN_OPTIONS=halt_on_error=1 \
	  $(SWIFT) test --sanitize thread --scratch-path .build/thread -Xswiftc -DQUOIN_THREAD_SANITIZER \
	  --skip 'QuandlServiceTests|QuoinServerTests|QuandlClientTests' $(SANITIZE)
