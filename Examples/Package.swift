// swift-tools-version: 6.2
import PackageDescription

/// A program that uses products of Squall, and perhaps that of another package.
func program(_ name: String, _ products: [String] = ["Squall"], _ others: Target.Dependency...) -> Target {
    .executableTarget(
        name: name, dependencies: ["ExampleSupport"] + products.map { .product(name: $0, package: "Squall") } + others)
}

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "Squall", path: ".."),
        .package(url: "https://github.com/swiftcsv/SwiftCSV", from: "0.10.0"),
    ],
    targets: [
        program("FirstSteps"),
        program("SQiftTour", ["SQiftCompatibility"]),
        program("Concurrent"),
        program("LiveTable"),
        program("Editor", ["Squall", "SquallChanges"]),
        program("Contacts"),
        program("Members", ["SQLiteORMCompatibility"]),
        program("TypedContacts"),
        program("Migrations", ["SQLiteORMCompatibility"]),
        program("MailSearch", ["Squall", "SquallSearch"]),
        program("FileTables", ["Squall"], .product(name: "SwiftCSV", package: "SwiftCSV")),
        program("TableSources"),
        program("ColumnTypes"),
        program("Sales"),
        program("Ledger"),
        program("Repository"),
        program("DocumentStore"),
        program("FolderSync", ["Squall", "SquallChanges"]),
        program("Sandbox"),
        program("Operations"),
        program("Inspector"),
        program("Workshop"),
        program("Departures"),
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
        program("PriceLists", ["Squall", "SquallChanges"]),
        program("FieldWork", ["Squall", "SquallChanges"]),
        program("SearchTour", ["Squall", "SquallSearch"]),
        program("Bank", ["Squall", "SquallStore"]),
        program("CheckQueries", ["Squall", "SquallSQLFiles"]),
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
