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
        // What `make fuzz` runs on inputs of a fuzzer.
        .target(name: "FuzzTargets", dependencies: [squall]),
        .testTarget(name: "LaboratoryTests", dependencies: ["FuzzTargets", "LaboratorySupport", squall]),
    ],
    swiftLanguageModes: [.v6]
)

// The program of `make fuzz`: libFuzzer has its `main`, so that it can only be linked with `--sanitize fuzzer`.
if Context.environment["SQUALL_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(name: "Fuzz", dependencies: ["FuzzTargets", "LaboratorySupport", squall])
    )
}
