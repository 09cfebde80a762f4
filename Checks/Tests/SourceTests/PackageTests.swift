import Foundation
import Testing

/// Rules of the packages that are built into one scratch path.
struct PackageTests {
    private static let manifests = Repository.files("Package.swift")

    /// Targets of one name would overwrite each other's modules there, and be built again for each package.
    @Test func targetsOfAllPackagesHaveDifferentNames() {
        #expect(Self.manifests.count >= 9)
        let targets = Self.manifests.flatMap { manifest in
            // `program` is the manifest of Examples' own function.
            manifest.code.matches(
                of: /(?:\.(?:target|testTarget|executableTarget|systemLibrary)\(\s*name: |\bprogram\()"([^"]+)"/
            )
            .map { (name: String($0.1), package: manifest.path) }
        }
        #expect(targets.count > 80)
        let packages = Dictionary(grouping: targets, by: \.name).mapValues { Set($0.map(\.package)) }
        #expect(packages.filter { $0.value.count > 1 }.isEmpty)
    }

    /// Without that, an app that chooses SQLCipher and depends on such a package links the SQLite of the system as well.
    @Test(arguments: ["Integrations", "Cluster", "Sync", "Sync/Server"], ["SystemSQLite", "SQLCipher"])
    func packagesWithProductsPassTheirTraitsOn(package: String, trait: String) throws {
        let manifest = try Repository.file("\(package)/Package.swift")
        let passed = #".trait(name: "\#(trait)", condition: .when(traits: ["\#(trait)"]))"#
        #expect(manifest.text.contains(passed))
        #expect(manifest.text.contains(#".default(enabledTraits: ["SystemSQLite"])"#))
    }
}
