#!/usr/bin/env bash
# Runs what .ci/run leaves out, goes on after a step that fails, and prints the seconds of each. Takes hours.
set -uo pipefail
cd "$(dirname "$0")/.."
steps=.build/nightly
. Scripts/steps.sh
export SQUALL_SEED=random SQUALL_ROUNDS=all

step make type-check
step make test-all
step make test-encrypted
step make test-multiple-ciphers
step make debian13
step make addresses
step make sqlcipher
step make sanitize
step make matrix
step make fuzz faults crash sealed reentrancy soak corpora
step make pairs
step make coverage
step make cluster-test cluster-faults cluster-fuzz litestream-test
step make size docs
step make bench instructions
step make mutation
step make flakes
print_steps
[ "$failed" = 0 ]
