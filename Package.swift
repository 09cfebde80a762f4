// swift-tools-version: 6.2
import PackageDescription

// The targets of tests that are built, if not all: a sanitizer has its own. Of SquallTests, it may have some folders.
let tests = Context.environment["SQUALL_TESTS"]?.split(separator: ",").map(String.init)
let folders = Context.environment["SQUALL_TEST_FOLDERS"]?.split(separator: ",").map(String.init)
// The generator of SQL files, and its copy for the plugin, would double the time of such a build.
let hasGenerator = tests?.contains("SQLFilesTests") ?? true

let package = Package(
    name: "Squall",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        .library(name: "Squall", targets: ["Squall"]),
        // The annexes: what many apps do without. An app imports Squall beside each.
        .library(name: "SquallChanges", targets: ["SquallChanges"]),
        // Full-text search, R*Trees and vectors.
        .library(name: "SquallSearch", targets: ["SquallSearch"]),
        .library(name: "SquallStore", targets: ["SquallStore"]),
        // The keys of encrypted files, for an SQLite with a cipher: SQLCipher.
        .library(name: "SquallEncryption", targets: ["SquallEncryption"]),
        // SQift's forms over `String`, and its names that Squall has others for; brings Squall with it.
        .library(name: "SQiftCompatibility", targets: ["SQiftCompatibility"]),
        // SQLiteORM's storage; brings Squall with it.
        .library(name: "SQLiteORMCompatibility", targets: ["SQLiteORMCompatibility"]),
        // No promise: for the packages of this repository, which read SQL as the library does.
        .library(name: "_SquallBase", targets: ["SquallBase"]),
        // Checks SQL files and writes them as Swift: for the tool and the plugin, not for apps.
        .library(name: "SquallSQLFiles", targets: ["SquallSQLFiles"]),
        // Checks the SQL files of a target when it is built, and compiles the Swift that they become.
        .plugin(name: "SquallSQL", targets: ["SquallSQL"]),
    ],
    // The SQLite that is linked. With neither trait, none is: the app links one.
    traits: [
        .default(enabledTraits: ["SystemSQLite"]),
        .trait(name: "SystemSQLite", description: "Links the SQLite of the system (libsqlite3)."),
        .trait(name: "SQLCipher", description: "Links SQLCipher (libsqlcipher)."),
    ],
    targets: [
        // The headers. What is linked is a setting of `Squall`, to which every program that calls SQLite belongs.
        .systemLibrary(name: "SquallSQLite"),
        // Names and the text of SQL, for the library and its tools. Users of the library do not see it.
        .target(name: "SquallBase"),
        .target(
            name: "Squall",
            dependencies: ["SquallBase", "SquallSQLite"],
            linkerSettings: [
                .linkedLibrary("sqlite3", .when(traits: ["SystemSQLite"])),
                .linkedLibrary("sqlcipher", .when(traits: ["SQLCipher"])),
            ]
        ),
        .target(name: "SquallChanges", dependencies: ["Squall", "SquallSQLite"]),
        .target(name: "SquallSearch", dependencies: ["Squall", "SquallSQLite"]),
        .target(name: "SquallStore", dependencies: ["Squall"]),
        .target(name: "SquallEncryption", dependencies: ["Squall", "SquallSQLite"]),
        .target(name: "SQiftCompatibility", dependencies: ["Squall", "SquallSQLite"]),
        .target(name: "SQLiteORMCompatibility", dependencies: ["Squall"]),
        .target(name: "SquallSQLFiles", dependencies: ["Squall", "SquallBase", "SquallSearch"]),
        .executableTarget(name: "squall-sql", dependencies: ["SquallSQLFiles"]),
        .plugin(name: "SquallSQL", capability: .buildTool(), dependencies: ["squall-sql"]),
        // The Swift of the queries of the tests, in a module whose declarations belong to the main actor.
        .target(
            name: "SampleQueries",
            dependencies: ["Squall"],
            path: "Tests/SampleQueries",
            swiftSettings: [.defaultIsolation(MainActor.self), .treatAllWarnings(as: .error)]
        ),
        .testTarget(
            name: "SQLFilesTests",
            dependencies: ["SampleQueries", "Squall", "SquallSQLFiles", "SquallTestSupport"],
            exclude: ["Golden"]
        ),
        // Helpers of several test targets.
        .target(
            name: "SquallTestSupport", dependencies: ["EncryptedRun", "Squall", "SquallSQLite", "SquallStore"],
            path: "Tests/SquallTestSupport"
        ),
        // Encrypts the files of all tests, if a variable of the environment is set.
        .target(
            name: "EncryptedRun", dependencies: ["EncryptedRunStart", "Squall", "SquallEncryption"],
            path: "Tests/EncryptedRun"
        ),
        .target(name: "EncryptedRunStart", path: "Tests/EncryptedRunStart"),
        .testTarget(
            name: "SquallTests",
            dependencies: [
                "Squall", "SquallChanges", "SquallSearch", "SquallStore", "SQLiteORMCompatibility", "SquallTestSupport",
            ],
            sources: folders
        ),
        .testTarget(
            name: "SquallChangesTests", dependencies: ["Squall", "SquallChanges", "SquallSearch", "SquallTestSupport"]),
        .testTarget(
            name: "SquallEncryptionTests",
            dependencies: ["Squall", "SquallEncryption", "SquallSQLite", "SquallTestSupport"]),
        .testTarget(name: "SquallStoreTests", dependencies: ["Squall", "SquallStore", "SquallTestSupport"]),
        // The tests that use threads, tasks, processes or the clock: they run one at a time, in a process of their own.
        .testTarget(
            name: "SquallTimedTests",
            dependencies: [
                "Squall", "SquallChanges", "SquallSearch", "SquallStore", "SQiftCompatibility", "SquallTestSupport",
                "TestProcess",
            ]
                + (hasGenerator ? ["SquallSQLFiles"] : []),
            // The pages of the documentation keep schemas in static properties, which the leak checker does not follow.
            exclude: hasGenerator ? [] : ["Pages", "SQLFiles"]
        ),
        // The examples of the README and of the documentation.
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "Squall", "SquallChanges", "SquallEncryption", "SquallSearch", "SquallStore", "SQiftCompatibility",
                "SQLiteORMCompatibility",
                "SquallTestSupport",
            ],
            exclude: ["SQL"],
            // A page sees the members of the modules that it imports: SQift's forms of the same verbs are not Squall's.
            swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]
        ),
        .testTarget(
            name: "SquallBaseTests", dependencies: ["Squall", "SquallBase", "SquallSQLite", "SquallTestSupport"]),
        .testTarget(name: "SquallSearchTests", dependencies: ["Squall", "SquallSearch", "SquallTestSupport"]),
        .testTarget(
            name: "SQiftCompatibilityTests", dependencies: ["Squall", "SQiftCompatibility", "SquallTestSupport"]),
        .testTarget(
            name: "SQLiteORMCompatibilityTests", dependencies: ["SQLiteORMCompatibility", "SquallTestSupport"]
        ),
        .testTarget(name: "LifetimeTests", dependencies: ["Squall", "SquallChanges"]),
        // What the tests run in processes of their own.
        .executableTarget(
            name: "TestProcess", dependencies: ["EncryptedRun", "Squall", "SquallSQLite"], path: "Tests/TestProcess"),
        .testTarget(
            name: "MainActorTests",
            dependencies: ["Squall", "SquallSearch"],
            swiftSettings: [.defaultIsolation(MainActor.self)]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// Only `make docs` needs the plugin; a package that depends on Squall fetches nothing but Squall.
if Context.environment["SQUALL_DOCS"] != nil {
    package.dependencies.append(
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0")
    )
    // For a plugin that reads symbols, SwiftPM turns all traits on, and both of these are an error.
    package.traits = package.traits.filter { $0.name != "SQLCipher" }
}

if let tests {
    package.targets.removeAll { $0.isTest && !tests.contains($0.name) }
}

if !hasGenerator {
    let generator: Set = ["SquallSQLFiles", "squall-sql", "SquallSQL", "SampleQueries"]
    package.targets.removeAll { generator.contains($0.name) }
    package.products.removeAll { generator.contains($0.name) }
}
