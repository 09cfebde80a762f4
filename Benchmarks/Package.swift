// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that a package that depends on Squall fetches nothing but Squall.
let package = Package(
    name: "SquallBenchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "Squall", path: ".."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        // The rivals of functions and virtual tables, in C.
        .target(name: "CExtensions", linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
        .executableTarget(
            name: "SquallBenchmarks",
            dependencies: [
                "CExtensions",
                .product(name: "Squall", package: "Squall"),
                .product(name: "SquallChanges", package: "Squall"),
                .product(name: "SquallSearch", package: "Squall"),
                .product(name: "SquallEncryption", package: "Squall"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            exclude: ["SQL"]
        ),
    ],
    swiftLanguageModes: [.v6]
)
