#!/usr/bin/env bash
# Builds a package that names Squall and its separate packages by addresses, of repositories that it writes into a temporary folder.
set -euo pipefail
cd "$(dirname "$0")/.."
version=0.0.1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

git clone --quiet --bare . "$scratch/squall.git"
git clone --quiet "$scratch/squall.git" "$scratch/source"
git -C "$scratch/source" tag "$version"
git -C "$scratch/source" push --quiet origin "$version"
address() { echo "file://$scratch/$1.git"; }
for folder in Integrations Cluster; do
    name=squall-$(tr '[:upper:]' '[:lower:]' <<< "$folder")
    "$scratch/source/Scripts/split-package.sh" "$folder" "$version" "$(address squall)" "$scratch/$name.git"
done

mkdir -p "$scratch/app/Sources/app"
cat > "$scratch/app/Package.swift" <<EOF
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "app",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(url: "$(address squall)", from: "$version"),
        .package(url: "$(address squall-integrations)", from: "$version"),
        .package(url: "$(address squall-cluster)", from: "$version"),
    ],
    targets: [
        .executableTarget(
            name: "app",
            dependencies: [
                .product(name: "Squall", package: "squall"),
                .product(name: "SquallLogging", package: "squall-integrations"),
                .product(name: "SquallCluster", package: "squall-cluster"),
            ])
    ]
)
EOF
cat > "$scratch/app/Sources/app/main.swift" <<'EOF'
import Logging
import Squall
import SquallCluster
import SquallLogging

let database = try Database(":memory:")
let number: Int = try database.blocking.read { try $0.query("SELECT 42") }
print(number)
EOF
cd "$scratch/app"
unset SWIFTPM_BUILD_DIR
[ "$("${SWIFT:-swift}" run --quiet app)" = 42 ]
echo "A package that names Squall, Integrations and Cluster by their addresses was built, and ran."
