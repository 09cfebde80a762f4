// swift-tools-version: 6.2
import PackageDescription

// Tests that only read the sources of the repository. A package of its own, so that they run before anything else is built.
let package = Package(
    name: "Checks",
    platforms: [.macOS(.v14)],
    targets: [
        .testTarget(name: "SourceTests")
    ],
    swiftLanguageModes: [.v6]
)
