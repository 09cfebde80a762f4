import Testing

/// The numbers that a growing library must not let grow.
struct HouseTests {
    /// The stored properties of `Connection`.
    private static let connectionProperties: [String] = {
        let text = (try? Repository.file("Sources/Squall/Connection/Connection.swift"))?.code ?? ""
        let body = text.components(separatedBy: "public final class Connection {").last ?? ""
        let members = body.components(separatedBy: "\n}").first ?? ""
        return members.matches(
            of:
                /\n    (?:@[\w()]+ )*(?:(?:public|private\(set\)|unowned\(unsafe\)) )*(?:let|var) (\w+)(?:: [^\n={]+)?(?: = [^\n]+| \{ didSet.*)?(?=\n)/
        ).map { String($0.output.1) }
    }()

    @Test func aConnectionHasFewStoredProperties() {
        #expect(Self.connectionProperties.contains("state") && Self.connectionProperties.contains("followers"))
        #expect(Self.connectionProperties.count <= 18, "\(Self.connectionProperties)")
    }

    /// A later folder has the lease, the followers and the companions.
    @Test func propertiesOfAConnectionServeItsOwnFolder() {
        let files = ArchitectureTests.folders.prefix { $0 != "Queries" }.flatMap {
            Repository.files(in: "Sources/Squall/\($0)", ".swift")
        }
        let others = files.filter { !$0.path.hasSuffix("/Connection.swift") }
        let words = Set(others.flatMap { $0.code.split { !$0.isLetter } })
        let foreign = Self.connectionProperties.filter { !words.contains($0[...]) }
        #expect(foreign.count <= 3, "\(foreign)")
    }

    /// The tables, columns and indexes of a database are read by one type.
    @Test func theCatalogIsReadInOneFolder() {
        let queries =
            /sqlite_(?:temp_)?(?:master|schema)\b|pragma_(?:table|index|foreign_key|database)_|PRAGMA [^"\n]*(?:table_x?info|table_list|index_x?info|index_list|foreign_key_list|database_list)/
        let modules = ["Squall"] + ArchitectureTests.annexes.map(\.key)
        let found = modules.flatMap { Repository.files(in: "Sources/\($0)", ".swift") }
            .filter { $0.code.contains(queries) }.map(\.path)
        let folder = "Sources/Squall/Connection/Catalog/"
        #expect(found.contains(folder + "SchemaCatalog.swift"))
        #expect(found.filter { !$0.hasPrefix(folder) } == [])
        let files = Repository.files(in: "Sources/SquallSQLFiles", ".swift")
        #expect(
            files.filter { $0.code.contains(/(?:FROM|JOIN) (?:main\.)?(?:sqlite_master|sqlite_schema|pragma_)/) }.map(
                \.path) == [])
    }
}
