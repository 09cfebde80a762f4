// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Reminders",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "Squall", path: "../.."),
        .package(name: "SquallIntegrations", path: "../../Integrations"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.14.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.8.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
    ],
    targets: [
        .executableTarget(
            name: "Reminders",
            dependencies: [
                .product(name: "Squall", package: "Squall"),
                .product(name: "HummingbirdSquall", package: "SquallIntegrations"),
                .product(name: "SquallLogging", package: "SquallIntegrations"),
                .product(name: "SquallMetrics", package: "SquallIntegrations"),
                .product(name: "SquallService", package: "SquallIntegrations"),
                .product(name: "SquallTracing", package: "SquallIntegrations"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .testTarget(
            name: "RemindersTests",
            dependencies: [
                "Reminders",
                .product(name: "SquallTesting", package: "SquallIntegrations"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
