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

    /// A variable is under a `Locked`, and what goes from one thread to another is in an `UncheckedSendable`: few types need a proof.
    @Test(arguments: [("Sources", 12), ("Tools/Sources", 0), ("Cluster/Sources", 1)])
    func typesThatAreSendableUncheckedAreFewAndSayWhy(_ folder: String, _ limit: Int) {
        var found: [String] = []
        for file in Repository.files(in: folder, ".swift") {
            for (index, line) in file.lines.enumerated()
            where line.contains("@unchecked Sendable") && !line.contains("//") {
                found.append("\(file.path): \(line)")
                // The comment may be above an attribute.
                let comment = file.lines[..<index].reversed().prefix { $0.contains("//") || $0.contains("@") }
                #expect(comment.contains { $0.contains("Sendable, because ") }, "\(file.path): \(line)")
            }
        }
        #expect(found.count <= limit, "\(found)")
    }

    /// The aims are 43,000 lines of the library, and 77,000 of the three trees.
    @Test func theLibraryAndItsToolsDoNotGrow() {
        func lines(_ files: [Repository.File]) -> Int { files.reduce(0) { $0 + $1.lines.count - 1 } }
        let library = Repository.files(in: "Sources/Squall", ".swift")
        #expect(library.count <= 475)
        #expect(lines(library) <= 47_430)
        let trees = ["Sources", "Tools/Sources", "Cluster/Sources"].map { lines(Repository.files(in: $0, ".swift")) }
        #expect(trees.reduce(0, +) <= 92_280, "\(trees)")
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
    }

    /// The generator of SQL files reads the catalog through the library, and the tool in one folder.
    @Test func theCatalogIsReadInOneFolderOfTheTool() {
        let queries =
            /(?:FROM|JOIN) (?:main\.)?(?:sqlite_master|sqlite_schema|pragma_(?:table|index|foreign_key_list|database))/
        let files = ["Sources/SquallSQLFiles", "Tools/Sources"].flatMap { Repository.files(in: $0, ".swift") }
        let found = files.filter { $0.code.contains(queries) }.map(\.path)
        let folder = "Tools/Sources/SquallTool/Catalog/"
        #expect(found.contains(folder + "SchemaEntry.swift"))
        #expect(found.filter { !$0.hasPrefix(folder) } == [])
    }

    /// The folders of the library, and the modules beside it that have a page.
    private static let rooms =
        ArchitectureTests.folders.map { "Sources/Squall/\($0)" }
        + ["SquallBase", "SquallSQLFiles", "SquallSearch", "SquallChanges", "SquallStore", "SquallEncryption"].map {
            "Sources/\($0)"
        }

    /// Returns the comment that begins with a title, such as `// # Access`.
    private static func page(_ file: Repository.File) -> ArraySlice<String>? {
        guard let title = file.lines.firstIndex(where: { $0.hasPrefix("// # ") }) else { return nil }
        return file.lines[title...].prefix { $0 == "//" || $0.hasPrefix("// ") }
    }

    /// One file of each room begins with a page on how the room works inside, with an example.
    @Test func eachRoomHasAPage() {
        let rooms = Self.rooms.filter { !Repository.files(in: $0, ".swift").isEmpty }
        #expect(rooms.count >= 18)
        for room in rooms {
            let files = Repository.files(in: room, ".swift").filter { Self.page($0) != nil }
            #expect(files.count == 1, "\(room): \(files.map(\.path))")
            for file in files {
                let page = Self.page(file) ?? []
                #expect((19...32).contains(page.count - 1), "\(file.path): \(page.count) lines")
                #expect(page.contains { $0.hasPrefix("//     ") }, "\(file.path) has no example")
                let longest = page.map(\.count).max() ?? 0
                #expect(longest <= 120, "\(file.path): a line of \(longest) characters")
            }
        }
    }
}
