// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that a package that depends on Squall fetches nothing but Squall.
let package = Package(
    name: "SquallIntegrations",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        .library(name: "SquallLogging", targets: ["SquallLogging"]),
        .library(name: "SquallMetrics", targets: ["SquallMetrics"]),
        .library(name: "SquallTracing", targets: ["SquallTracing"]),
        .library(name: "SquallService", targets: ["SquallService"]),
        .library(name: "HummingbirdSquall", targets: ["HummingbirdSquall"]),
        // For test targets only: it links Swift Testing.
        .library(name: "SquallTesting", targets: ["SquallTesting"]),
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
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.9.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.6.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.8.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1"),
    ],
    targets: [
        // Of several products.
        .target(name: "IntegrationSupport"),
        .target(
            name: "SquallLogging",
            dependencies: [.support, .squall, .product(name: "Logging", package: "swift-log")]
        ),
        .target(
            name: "SquallMetrics",
            dependencies: [
                .support,
                .squall,
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .target(
            name: "SquallTracing",
            dependencies: [.support, .squall, .product(name: "Tracing", package: "swift-distributed-tracing")]
        ),
        .target(
            name: "SquallService",
            dependencies: [
                .support,
                .squall,
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .executableTarget(
            name: "SquallServiceExample", dependencies: ["SquallService"], path: "Examples/SquallService"
        ),
        .target(
            name: "HummingbirdSquall",
            dependencies: [
                .support,
                .squall,
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .target(name: "SquallTesting", dependencies: [.support, .squall]),
        .executableTarget(
            name: "SquallLoggingExample", dependencies: ["SquallLogging"], path: "Examples/SquallLogging"
        ),
        .executableTarget(
            name: "SquallMetricsExample",
            dependencies: ["SquallMetrics", .product(name: "MetricsTestKit", package: "swift-metrics")],
            path: "Examples/SquallMetrics"
        ),
        .executableTarget(
            name: "SquallTracingExample",
            dependencies: ["SquallTracing", .product(name: "InMemoryTracing", package: "swift-distributed-tracing")],
            path: "Examples/SquallTracing"
        ),
        .testTarget(
            name: "SquallLoggingTests",
            dependencies: ["SquallLogging", "ErrorLogProcess", "TestSupport", .support]
        ),
        // SQLite's error log is observed by a whole process.
        .executableTarget(
            name: "ErrorLogProcess", dependencies: ["SquallLogging"], path: "Tests/ErrorLogProcess"
        ),
        .testTarget(
            name: "SquallMetricsTests",
            dependencies: ["SquallMetrics", .product(name: "MetricsTestKit", package: "swift-metrics")]
        ),
        .testTarget(
            name: "SquallTracingTests",
            dependencies: [
                "SquallTracing", .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "SquallStore", package: "Squall"),
            ]
        ),
        .testTarget(
            name: "SquallServiceTests",
            dependencies: [
                "SquallService", "ServiceProcess", "TestSupport", .support,
                .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
            ]
        ),
        // A process that the tests of SquallService start, load and end by signals.
        .executableTarget(name: "ServiceProcess", dependencies: ["SquallService"], path: "Tests/ServiceProcess"),
        .testTarget(
            name: "HummingbirdSquallTests",
            dependencies: [
                "HummingbirdSquall", "TestSupport", .support,
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
            ]
        ),
        .executableTarget(
            name: "HummingbirdSquallExample",
            dependencies: ["HummingbirdSquall"],
            path: "Examples/HummingbirdSquall"
        ),
        .testTarget(name: "SquallTestingTests", dependencies: ["SquallTesting", "TestSupport", .support]),
        .testTarget(name: "SquallTestingExample", dependencies: ["SquallTesting"], path: "Examples/SquallTesting"),
        .testTarget(
            name: "ExampleTests",
            dependencies: [
                "HummingbirdSquallExample", "SquallLoggingExample", "SquallMetricsExample", "SquallServiceExample",
                "SquallTracingExample", "TestSupport",
            ]
        ),
        // Of several targets of tests.
        .target(
            name: "TestSupport",
            dependencies: [.support, .product(name: "Logging", package: "swift-log")],
            path: "Tests/TestSupport"
        ),
        // The `swift` blocks of the guides.
        .testTarget(
            name: "GuideTests",
            dependencies: [
                "HummingbirdSquall", "SquallLogging", "SquallMetrics", "SquallService", "SquallTesting",
                "SquallTracing",
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

extension Target.Dependency {
    static let support = Target.Dependency.target(name: "IntegrationSupport")
    static let squall = Target.Dependency.product(name: "Squall", package: "Squall")
}

// With a sanitizer, Hummingbird would be most of what is built.
if Context.environment["SQUALL_SANITIZED"] != nil {
    package.dependencies.removeLast()
    package.products.removeAll { $0.name == "HummingbirdSquall" }
    package.targets.removeAll {
        $0.name.hasPrefix("HummingbirdSquall") || ["ExampleTests", "GuideTests"].contains($0.name)
    }
}
