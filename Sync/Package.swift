// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that a package that depends on Squall fetches nothing but Squall.
let package = Package(
    name: "SquallSync",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        // The device.
        .library(name: "SquallSync", targets: ["SquallSync"]),
        // The hub, without a transport.
        .library(name: "SquallSyncHub", targets: ["SquallSyncHub"]),
    ],
    // Squall's traits, which are passed on.
    traits: [.default(enabledTraits: ["SystemSQLite"]), .trait(name: "SystemSQLite"), .trait(name: "SQLCipher")],
    dependencies: [
        .package(
            name: "Squall", path: "..",
            traits: [
                .trait(name: "SystemSQLite", condition: .when(traits: ["SystemSQLite"])),
                .trait(name: "SQLCipher", condition: .when(traits: ["SQLCipher"])),
            ])
    ],
    targets: [
        .target(name: "SquallSync", dependencies: [.squall, .changes, .base]),
        .target(name: "SquallSyncHub", dependencies: ["SquallSync", .squall, .changes, .base]),
        .executableTarget(
            name: "SyncDemo", dependencies: ["SquallSync", "SquallSyncHub", .squall, .changes, .base], path: "Demo"),
        .executableTarget(
            name: "SyncMeasures", dependencies: ["SquallSync", "SquallSyncHub", .squall, .changes], path: "Measures"),
        .testTarget(name: "SquallSyncTests", dependencies: ["SquallSync", "SquallSyncHub", .squall, .changes]),
    ],
    swiftLanguageModes: [.v6]
)

extension Target.Dependency {
    static let squall = product(name: "Squall", package: "Squall")
    static let changes = product(name: "SquallChanges", package: "Squall")
    static let base = product(name: "_SquallBase", package: "Squall")
}
