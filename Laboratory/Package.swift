// swift-tools-version: 6.2
import PackageDescription

let squall = Target.Dependency.product(name: "Squall", package: "Squall")
let changes = Target.Dependency.product(name: "SquallChanges", package: "Squall")
let search = Target.Dependency.product(name: "SquallSearch", package: "Squall")
let encryption = Target.Dependency.product(name: "SquallEncryption", package: "Squall")
let store = Target.Dependency.product(name: "SquallStore", package: "Squall")

let package = Package(
    name: "Laboratory",
    platforms: [.macOS(.v14)],
    dependencies: [.package(name: "Squall", path: "..")],
    targets: [
        // What every lane uses: the table of results, seeds, temporary folders, child processes.
        .target(name: "LaboratorySupport"),
        // The headers of the SQLite library that Squall links.
        .systemLibrary(name: "LaboratorySQLite"),
        // Allocations and system calls of SQLite that fail on command, and the record of what a power cut can lose.
        .target(name: "FaultInjection", dependencies: ["LaboratorySQLite"]),
        .executableTarget(
            name: "Faults", dependencies: ["LaboratorySupport", "FaultInjection", squall, changes, search]),
        .executableTarget(name: "Crash", dependencies: ["LaboratorySupport", "FaultInjection", squall]),
        .executableTarget(
            name: "Sealed", dependencies: ["LaboratorySupport", "FaultInjection", squall, changes, encryption]),
        .executableTarget(name: "Corpora", dependencies: ["LaboratorySupport", "LaboratorySQLite", squall]),
        .executableTarget(name: "Soak", dependencies: ["LaboratorySupport", squall]),
        // The misuse of SQLite that it reports in its log.
        .target(name: "LibraryLog", dependencies: ["LaboratorySQLite"]),
        .executableTarget(
            name: "Reentrancy",
            dependencies: [
                "LaboratorySupport", "LibraryLog", squall, changes, encryption, search, store,
                .product(name: "SQiftCompatibility", package: "Squall"),
            ],
            // SQift's forms are those of one file.
            swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]),
        .executableTarget(
            name: "Pairs",
            dependencies: ["LaboratorySupport", "SQiftFace", "StorageFace", squall, changes, search, store],
            // Its Swift is committed: squall-sql writes it.
            exclude: ["SQL"]),
        // Each is a module of its own, because its import changes the overloads in all files of a module.
        .target(
            name: "SQiftFace", dependencies: [.product(name: "SQiftCompatibility", package: "Squall")],
            path: "Sources/PairFaces/SQift"),
        .target(
            name: "StorageFace", dependencies: [.product(name: "SQLiteORMCompatibility", package: "Squall")],
            path: "Sources/PairFaces/Storage"),
        // What `make fuzz` runs on inputs of a fuzzer.
        .target(
            name: "FuzzTargets",
            dependencies: [squall, changes, search, .product(name: "_SquallBase", package: "Squall")]),
        .testTarget(
            name: "LaboratoryTests",
            dependencies: [
                "LaboratorySupport", "FaultInjection", "FuzzTargets", "Pairs", squall, changes, search, store,
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// The program of `make fuzz`: libFuzzer has its `main`, so that it can only be linked with `--sanitize fuzzer`.
if Context.environment["SQUALL_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(name: "Fuzz", dependencies: ["FuzzTargets", "LaboratorySupport", squall])
    )
}
