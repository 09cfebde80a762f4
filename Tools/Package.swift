// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that a package that depends on Squall fetches nothing but Squall.
let package = Package(
    name: "SquallTool",
    platforms: [.macOS(.v14)],
    products: [
        .executable(name: "squall", targets: ["SquallTool"])
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
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/onevcat/Rainbow", from: "4.0.0"),
        .package(url: "https://github.com/swiftcsv/SwiftCSV", from: "0.10.0"),
    ],
    targets: [
        .systemLibrary(name: "CWideCharacter"),
        .executableTarget(
            name: "SquallTool",
            dependencies: [
                "CWideCharacter",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Rainbow", package: "Rainbow"),
                .product(name: "Squall", package: "Squall"),
                .product(name: "_SquallBase", package: "Squall"),
                .product(name: "SquallEncryption", package: "Squall"),
                .product(name: "SquallSearch", package: "Squall"),
                .product(name: "SquallSQLFiles", package: "Squall"),
                .product(name: "SwiftCSV", package: "SwiftCSV"),
            ]
        ),
        // What `squall generate` has written for the schemas of the tests.
        .target(
            name: "SampleTables",
            dependencies: [.product(name: "Squall", package: "Squall")],
            path: "Tests/SampleTables"
        ),
        .testTarget(
            name: "SquallToolTests",
            dependencies: [
                "SampleTables",
                "SquallTool",
                .product(name: "Squall", package: "Squall"),
                .product(name: "SquallChanges", package: "Squall"),
                .product(name: "SquallEncryption", package: "Squall"),
                .product(name: "SquallSearch", package: "Squall"),
                .product(name: "SquallStore", package: "Squall"),
                .product(name: "SwiftCSV", package: "SwiftCSV"),
            ],
            exclude: ["Schemas"]
        ),
    ],
    swiftLanguageModes: [.v6]
)
