#!/usr/bin/env bash
# Fails if a package that uses SquallSync fetches other packages: SwiftPM fetches all dependencies of a package, also those that no product
# of the app needs.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
app=$(mktemp -d)
trap 'rm -rf "$app"' EXIT
mkdir -p "$app/Sources/app"
echo 'import SquallSync' > "$app/Sources/app/main.swift"
cat > "$app/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "app",
    platforms: [.macOS(.v14)],
    dependencies: [.package(name: "SquallSync", path: "$root/Sync")],
    targets: [.executableTarget(name: "app", dependencies: [.product(name: "SquallSync", package: "SquallSync")])]
)
END
unset SWIFTPM_BUILD_DIR
"${SWIFT:-swift}" package --package-path "$app" resolve
if grep identity "$app/Package.resolved" 2> /dev/null; then
    echo "error: an app that uses SquallSync fetches these packages" >&2
    exit 1
fi
echo "An app that uses SquallSync fetches no other package."
