// swift-tools-version: 6.2
import PackageDescription

// A package of its own, because only this lane needs swift-syntax.
let package = Package(
    name: "Mutation",
    platforms: [.macOS(.v14)],
    dependencies: [.package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.0")],
    targets: [
        .executableTarget(
            name: "Mutation",
            dependencies: [
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftOperators", package: "swift-syntax"),
            ]
        ),
        .testTarget(name: "MutationTests", dependencies: ["Mutation"]),
    ],
    swiftLanguageModes: [.v6]
)
