#!/usr/bin/env bash
# Builds a package that depends on Squall and on Integrations with each choice of traits, with the SQLCipher of
# Scripts/sqlite-versions.sh, and reads which libraries its programs link (Debian).
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD swift=${SWIFT:-swift}
folder=$(Scripts/sqlite-versions.sh sqlcipher)
export SWIFTPM_BUILD_DIR=$root/.build-sqlcipher LD_LIBRARY_PATH=$folder/lib
app=$SWIFTPM_BUILD_DIR/app log=$SWIFTPM_BUILD_DIR/log
mkdir -p "$app"/Sources/{with,without}
echo 'import Squall
let connection = try Connection(":memory:")
let version: String? = try connection.query("PRAGMA cipher_version")
print("SQLCipher", version ?? "is not linked")' > "$app/Sources/without/main.swift"
(echo 'import SquallLogging' && cat "$app/Sources/without/main.swift") > "$app/Sources/with/main.swift"

# Writes the manifest: the traits at Squall and at Integrations, and the linker settings of the programs.
write_manifest() {
    cat > "$app/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription

let squall = Target.Dependency.product(name: "Squall", package: "Squall")
let logging = Target.Dependency.product(name: "SquallLogging", package: "SquallIntegrations")
let package = Package(
    name: "app",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "Squall", path: "$root"$1),
        .package(name: "SquallIntegrations", path: "$root/Integrations"$2),
    ],
    targets: [
        .executableTarget(name: "without", dependencies: [squall], linkerSettings: [$3]),
        .executableTarget(name: "with", dependencies: [squall, logging], linkerSettings: [$3]),
    ],
    swiftLanguageModes: [.v6]
)
END
}

# Builds the programs.
build() {
    "$swift" build --package-path "$app" -Xcc "-I$folder/include" -Xlinker "-L$folder/lib" > "$log" 2>&1
}

# Fails unless the programs are built, link SQLCipher alone, and run.
expect_sqlcipher() {
    local program start=$SECONDS
    build || { tail -n 30 "$log" >&2; exit 1; }
    echo "$1: built in $((SECONDS - start)) s"
    for program in without with; do
        Scripts/linked-libraries.sh sqlcipher "$SWIFTPM_BUILD_DIR/debug/$program"
        "$SWIFTPM_BUILD_DIR/debug/$program" | grep 'SQLCipher [0-9]'
    done
}

write_manifest ', traits: []' ', traits: ["SQLCipher"]' ''
expect_sqlcipher 'SQLCipher, as Integrations passes it on'

write_manifest ', traits: ["SQLCipher"]' '' ''
! build || { echo 'Both traits are on, and the build does not fail.' >&2; exit 1; }
grep -q 'error: .*SystemSQLite.*SQLCipher are both on' "$log" || { tail -n 30 "$log" >&2; exit 1; }
echo "Both traits: the build fails and says what to write"

write_manifest ', traits: []' ', traits: []' '.linkedLibrary("sqlcipher")'
expect_sqlcipher 'No trait, and a library that the app links'

"$swift" build --package-path Tools --product squall --disable-default-traits --traits SQLCipher \
    -Xcc "-I$folder/include" -Xlinker "-L$folder/lib" > "$log" 2>&1 || { tail -n 30 "$log" >&2; exit 1; }
Scripts/linked-libraries.sh sqlcipher "$SWIFTPM_BUILD_DIR/debug/squall"
echo "The tool is built with the trait"
