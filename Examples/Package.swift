// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "Squall", path: ".."),
        .package(url: "https://github.com/swiftcsv/SwiftCSV", from: "0.10.0"),
    ],
    targets: [
        .executableTarget(
            name: "FirstSteps", dependencies: ["ExampleSupport", .product(name: "Squall", package: "Squall")]
        ),
        .executableTarget(
            name: "SQiftTour",
            dependencies: ["ExampleSupport", .product(name: "SQiftCompatibility", package: "Squall")]
        ),
        .executableTarget(
            name: "Concurrent", dependencies: ["ExampleSupport", .product(name: "Squall", package: "Squall")]
        ),
        .executableTarget(
            name: "LiveTable", dependencies: ["ExampleSupport", .product(name: "Squall", package: "Squall")]
        ),
        .executableTarget(
            name: "Editor",
            dependencies: [
                "ExampleSupport", .product(name: "Squall", package: "Squall"),
                .product(name: "SquallChanges", package: "Squall"),
            ]
        ),
        .executableTarget(
            name: "Contacts", dependencies: ["ExampleSupport", .product(name: "Squall", package: "Squall")]
        ),
        .executableTarget(
            name: "Members",
            dependencies: ["ExampleSupport", .product(name: "SQLiteORMCompatibility", package: "Squall")]
        ),
        .executableTarget(
            name: "TypedContacts", dependencies: ["ExampleSupport", .product(name: "Squall", package: "Squall")]
        ),
        .executableTarget(
            name: "Migrations",
            dependencies: ["ExampleSupport", .product(name: "SQLiteORMCompatibility", package: "Squall")]
        ),
        .executableTarget(
            name: "MailSearch",
            dependencies: [
                "ExampleSupport", .product(name: "Squall", package: "Squall"),
                .product(name: "SquallSearch", package: "Squall"),
            ]
        ),
        .executableTarget(
            name: "FileTables",
            dependencies: [
                "ExampleSupport", .product(name: "Squall", package: "Squall"),
                .product(name: "SwiftCSV", package: "SwiftCSV"),
            ]
        ),
        .executableTarget(
            name: "TableSources", dependencies: ["ExampleSupport", .product(name: "Squall", package: "Squall")]
        ),
        .executableTarget(
            name: "ColumnTypes", dependencies: ["ExampleSupport", .product(name: "Squall", package: "Squall")]
        ),
        .executableTarget(
            name: "Sales", dependencies: ["ExampleSupport", .product(name: "Squall", package: "Squall")]
        ),
        .executableTarget(
            name: "Ledger", dependencies: ["ExampleSupport", .product(name: "Squall", package: "Squall")]
        ),
        .executableTarget(
            name: "Repository", dependencies: ["ExampleSupport", .product(name: "Squall", package: "Squall")]
        ),
        .executableTarget(
            name: "DocumentStore", dependencies: ["ExampleSupport", .product(name: "Squall", package: "Squall")]
        ),
        .executableTarget(
            name: "FolderSync",
            dependencies: [
                "ExampleSupport", .product(name: "Squall", package: "Squall"),
                .product(name: "SquallChanges", package: "Squall"),
            ]
        ),
        .executableTarget(
            name: "Sandbox", dependencies: ["ExampleSupport", .product(name: "Squall", package: "Squall")]
        ),
        .executableTarget(
            name: "Operations", dependencies: ["ExampleSupport", .product(name: "Squall", package: "Squall")]
        ),
        .executableTarget(
            name: "Inspector", dependencies: ["ExampleSupport", .product(name: "Squall", package: "Squall")]
        ),
        .executableTarget(
            name: "Workshop", dependencies: ["ExampleSupport", .product(name: "Squall", package: "Squall")]
        ),
        .executableTarget(
            name: "Departures", dependencies: ["ExampleSupport", .product(name: "Squall", package: "Squall")]
        ),
        // Modules that declare names of SwiftUI and SwiftData, under which the example imports them.
        .target(name: "StandInUI"),
        .target(name: "StandInData"),
        .executableTarget(
            name: "BesideSwiftUI",
            dependencies: ["StandInUI", "StandInData", .product(name: "Squall", package: "Squall")],
            swiftSettings: [
                .unsafeFlags([
                    "-module-alias", "SwiftUI=StandInUI", "-module-alias", "SwiftData=StandInData",
                ])
            ]
        ),
        .executableTarget(
            name: "PriceLists",
            dependencies: [
                "ExampleSupport",
                .product(name: "Squall", package: "Squall"),
                .product(name: "SquallChanges", package: "Squall"),
            ]
        ),
        .executableTarget(
            name: "FieldWork",
            dependencies: [
                "ExampleSupport",
                .product(name: "Squall", package: "Squall"),
                .product(name: "SquallChanges", package: "Squall"),
            ]
        ),
        .executableTarget(
            name: "SearchTour",
            dependencies: [
                "ExampleSupport",
                .product(name: "Squall", package: "Squall"),
                .product(name: "SquallSearch", package: "Squall"),
            ]
        ),
        .executableTarget(
            name: "Bank",
            dependencies: [
                "ExampleSupport",
                .product(name: "Squall", package: "Squall"),
                .product(name: "SquallStore", package: "Squall"),
            ]
        ),
        .executableTarget(
            name: "CheckQueries",
            dependencies: [
                "ExampleSupport",
                .product(name: "Squall", package: "Squall"),
                .product(name: "SquallSQLFiles", package: "Squall"),
            ]
        ),
        .executableTarget(name: "Hello", dependencies: [.product(name: "Squall", package: "Squall")]),
        .target(name: "ExampleSupport"),
        .testTarget(
            name: "ExamplesTests",
            dependencies: [
                "FirstSteps", "SQiftTour", "Concurrent", "LiveTable", "Migrations", "Contacts", "Members",
                "TypedContacts", "MailSearch", "FileTables", "DocumentStore", "Editor", "FolderSync",
                "Sandbox", "Operations", "Inspector", "Workshop", "Departures",
                "TableSources", "ColumnTypes", "Sales", "Ledger", "Repository",
                "BesideSwiftUI", "PriceLists", "FieldWork", "SearchTour", "Bank", "CheckQueries",
            ],
            exclude: ["Expected"]
        ),
    ],
    swiftLanguageModes: [.v6]
)
