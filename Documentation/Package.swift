// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Documentation",
    platforms: [.macOS(.v14)],
    products: [
        .executable(name: "squall-pages", targets: ["SquallPages"])
    ],
    targets: [
        .executableTarget(
            name: "SquallPages", resources: [.embedInCode("Site/site.css"), .embedInCode("Site/search.js")]),
        .testTarget(name: "SquallPagesTests", dependencies: ["SquallPages"]),
    ],
    swiftLanguageModes: [.v6]
)
