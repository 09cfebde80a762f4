// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Bookshop",
    platforms: [.macOS(.v14)],
    dependencies: [.package(name: "Squall", path: "../..")],
    targets: [
        .executableTarget(
            name: "Bookshop",
            dependencies: [
                .product(name: "Squall", package: "Squall"), .product(name: "SquallSearch", package: "Squall"),
            ],
            // The program reads the schema files when it runs. All SQL files are checked when it is built.
            resources: [.copy("SQL/schema")],
            plugins: [.plugin(name: "SquallSQL", package: "Squall")]
        ),
        .testTarget(
            name: "BookshopTests", dependencies: ["Bookshop", .product(name: "SquallSearch", package: "Squall")]),
    ],
    swiftLanguageModes: [.v6]
)
