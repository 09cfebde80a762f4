# The lanes of the laboratory, which README.md in this folder describes.

.PHONY: faults crash sealed reentrancy pairs fuzz soak corpora mutation coverage

export SHORT SEED ROWS STEPS WITH SECONDS_EACH TARGETS SEEDS

LABORATORY = $(SWIFTPM_BUILD_DIR)

faults: sqlite
	$(SWIFT) build --package-path Laboratory --product Faults
	$(LABORATORY)/debug/Faults

crash: sqlite
	$(SWIFT) build --package-path Laboratory --product Crash
	$(LABORATORY)/debug/Crash

# On SQLCipher, or on the library in the folder CIPHER.
sealed: sqlite-tools openssl
	$(SWIFT) build --package-path Laboratory --product Sealed
	@folder=$(if $(CIPHER),"$(CIPHER)",$$(Scripts/sqlite-versions.sh sqlcipher)); code=$$?; \
	if [ $$code = 69 ] && [ -z "$(REQUIRED)" ]; then \
		echo "WARNING: no encrypted files were tried"; \
	else \
		[ $$code = 0 ] && LD_LIBRARY_PATH=$$folder$(if $(CIPHER),,/lib) $(LABORATORY)/debug/Sealed; \
	fi

# The list of the public methods is taken from the modules of the library and its annexes, so that no method is forgotten.
SYMBOLS = $(LABORATORY)/symbols
TRIPLE = $(shell $(SWIFT) -print-target-info | sed -n 's/^ *"triple": "\(.*\)",/\1/p' | head -1)
SDK = $(if $(filter Darwin,$(shell uname)),-sdk "$$(xcrun --show-sdk-path)")

reentrancy: sqlite
	$(SWIFT) build --package-path Laboratory --product Reentrancy
	@rm -rf $(SYMBOLS) && mkdir -p $(SYMBOLS)
	for module in Squall $(ANNEXES); do \
		$(SWIFT) symbolgraph-extract -module-name $$module -minimum-access-level public -skip-synthesized-members \
			-target $(TRIPLE) $(SDK) -I $(LABORATORY)/debug/Modules -I Sources/SquallSQLite -output-dir $(SYMBOLS) || exit 1; \
	done
	SYMBOLS=$(SYMBOLS) $(LABORATORY)/debug/Reentrancy

# The whole lane is built for release: 500 steps of a pair take 0.36 s of the processor there, and 0.80 s otherwise.
PAIRS = $(if $(filter 1,$(SHORT))$(ROWS),debug,release)
# Without `SHORT=1`, some runs end with the tool.
RUNS_TOOL = $(if $(filter 1,$(SHORT)),$(filter tool,$(WITH)),1)

pairs: sqlite
	$(SWIFT) build -c $(PAIRS) --package-path Laboratory --product Pairs
	$(if $(RUNS_TOOL),$(SWIFT) build -c $(PAIRS) --package-path Tools --product squall)
	$(LABORATORY)/$(PAIRS)/Pairs

# libFuzzer has the `main` of the program, which SwiftPM knows by `--sanitize fuzzer`. Of several `--sanitize`, the compiler
# would use one, so that both sanitizers are named in one flag.
fuzz: sqlite
	$(call separately,.build-fuzz) SQUALL_FUZZ=1 $(SWIFT) build --package-path Laboratory --product Fuzz --sanitize fuzzer \
		-Xswiftc -sanitize=fuzzer,address -Xswiftc -use-ld=lld
	SQUALL_FUZZ_CORPUS=Laboratory/Corpus SQUALL_FUZZ_SCRATCH=.build-fuzz/fuzz .build-fuzz/debug/Fuzz

# The short form is built without the sanitizer, under which `make sanitize` runs the tests.
SOAK = $(if $(filter 1,$(SHORT)),$(LABORATORY),$(CURDIR)/.build-soak)

soak: sqlite
	SWIFTPM_BUILD_DIR="$(SOAK)" $(SWIFT) build --package-path Laboratory --product Soak $(if $(filter 1,$(SHORT)),,--sanitize thread)
	$(SOAK)/debug/Soak

corpora: sqlite
	Laboratory/Scripts/sqlite-tests.sh .build-corpora
	$(SWIFT) build --package-path Laboratory --product Corpora
	$(LABORATORY)/debug/Corpora "$(CURDIR)/.build-corpora/test"

# The lane itself builds a copy of the package, into the copy's own folder.
mutation: sqlite
	env -u SWIFTPM_BUILD_DIR $(SWIFT) run -c release --package-path Laboratory/Mutation Mutation $(if $(COUNT),--count $(COUNT)) $(if $(SEED),--seed $(SEED))

# Counters that are not atomic lose counts where tests run at once: lines that are run then have none, and others have some.
coverage: sqlite
	$(call separately,.build-coverage) $(SWIFT) build --build-tests --enable-code-coverage \
		-Xswiftc -Xllvm -Xswiftc -instrprof-atomic-counter-update-all
	Laboratory/Scripts/coverage.sh .build-coverage
