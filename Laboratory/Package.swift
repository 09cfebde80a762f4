// swift-tools-version: 6.2
import PackageDescription

let squall = Target.Dependency.product(name: "Squall", package: "Squall")

let package = Package(
    name: "Laboratory",
    platforms: [.macOS(.v14)],
    dependencies: [.package(name: "Squall", path: "..")],
    targets: [
        // What every lane uses: the table of results, seeds, temporary folders, child processes.
        .target(name: "LaboratorySupport"),
        .testTarget(name: "LaboratoryTests", dependencies: ["LaboratorySupport", squall]),
    ],
    swiftLanguageModes: [.v6]
)
