// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that a package that depends on Squall fetches nothing but Squall.
let package = Package(
    name: "SquallCluster",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        .library(name: "SquallCluster", targets: ["SquallCluster"]),
        .executable(name: "squall-node", targets: ["squall-node"]),
    ],
    // Squall's traits, which are passed on.
    traits: [.default(enabledTraits: ["SystemSQLite"]), .trait(name: "SystemSQLite"), .trait(name: "SQLCipher")],
    dependencies: [
        .package(
            name: "Squall", path: "..",
            traits: [
                .trait(name: "SystemSQLite", condition: .when(traits: ["SystemSQLite"])),
                .trait(name: "SQLCipher", condition: .when(traits: ["SQLCipher"])),
            ]),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .systemLibrary(name: "CDqlite"),
        .target(
            name: "SquallCluster",
            dependencies: [
                // libdqlite exists on Linux only. The client does not need it.
                .target(name: "CDqlite", condition: .when(platforms: [.linux])),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Squall", package: "Squall"),
                .product(name: "SquallStore", package: "Squall"),
                .product(name: "_SquallBase", package: "Squall"),
            ]
        ),
        .executableTarget(
            name: "squall-node",
            dependencies: [
                "SquallCluster",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Squall", package: "Squall"),
            ]
        ),
        // Of `make cluster-demo`.
        .executableTarget(
            name: "ClusterDemo",
            dependencies: [
                "SquallCluster",
                "squall-node",
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
            ]
        ),
        // Of `make litestream-test`.
        .executableTarget(
            name: "LitestreamWriter",
            dependencies: [.product(name: "Squall", package: "Squall")]
        ),
        // Processes of `ClusterFaults` and of the tests.
        .target(
            name: "NodeProcesses",
            dependencies: [
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        // Of `make cluster-faults`.
        .executableTarget(
            name: "ClusterFaults",
            dependencies: [
                "NodeProcesses",
                "SquallCluster",
                "squall-node",
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "Squall", package: "Squall"),
                .product(name: "SquallStore", package: "Squall"),
            ]
        ),
        // Of `make cluster-bench`.
        .target(name: "CRawClient"),
        .executableTarget(
            name: "ClusterBenchmarks",
            dependencies: [
                "CRawClient",
                "NodeProcesses",
                "SquallCluster",
                "squall-node",
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "Squall", package: "Squall"),
                .product(name: "SquallStore", package: "Squall"),
            ]
        ),
        .testTarget(
            name: "SquallClusterTests",
            dependencies: [
                "LitestreamWriter",
                "ClusterFaults",
                "NodeProcesses",
                "SquallCluster",
                "squall-node",
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "Squall", package: "Squall"),
                .product(name: "SquallStore", package: "Squall"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
