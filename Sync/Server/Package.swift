// swift-tools-version: 6.2
import PackageDescription

// A package of its own: SwiftPM fetches all dependencies of a package, and an app that uses SquallSync should fetch nothing but Squall.
let package = Package(
    name: "SquallSyncServer",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [.library(name: "HummingbirdSquallSync", targets: ["HummingbirdSquallSync"])],
    // Squall's traits, which are passed on.
    traits: [.default(enabledTraits: ["SystemSQLite"]), .trait(name: "SystemSQLite"), .trait(name: "SQLCipher")],
    dependencies: [
        .package(
            name: "Squall", path: "../..",
            traits: [
                .trait(name: "SystemSQLite", condition: .when(traits: ["SystemSQLite"])),
                .trait(name: "SQLCipher", condition: .when(traits: ["SQLCipher"])),
            ]),
        .package(
            name: "SquallSync", path: "..",
            traits: [
                .trait(name: "SystemSQLite", condition: .when(traits: ["SystemSQLite"])),
                .trait(name: "SQLCipher", condition: .when(traits: ["SQLCipher"])),
            ]),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.0.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.8.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1"),
    ],
    targets: [
        .target(
            name: "HummingbirdSquallSync",
            dependencies: [
                .hub, .sync, .squall, .changes, .base,
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .testTarget(
            name: "HummingbirdSquallSyncTests",
            dependencies: [
                "HummingbirdSquallSync", "SyncServerProcess", .hub, .sync, .squall, .changes, .base,
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        // A hub in a process by itself, whose memory is measured.
        .executableTarget(
            name: "SyncServerProcess",
            dependencies: [
                "HummingbirdSquallSync", .hub, .sync, .squall,
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/SyncServerProcess"
        ),
    ],
    swiftLanguageModes: [.v6]
)

extension Target.Dependency {
    static let squall = product(name: "Squall", package: "Squall")
    static let changes = product(name: "SquallChanges", package: "Squall")
    static let base = product(name: "_SquallBase", package: "Squall")
    static let sync = product(name: "SquallSync", package: "SquallSync")
    static let hub = product(name: "SquallSyncHub", package: "SquallSync")
}
