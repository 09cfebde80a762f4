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
}
