import Foundation
import Squall
import SquallEncryption
import SquallTestSupport
import Testing

/// Attached files with keys other than that of their connection.
@Suite(.enabled(if: EncryptedFolder.hasCipher)) struct AttachTests {
    private let folder: EncryptedFolder
    private let other = Encryption.rawKey([UInt8](repeating: 2, count: 32))

    init() throws {
        folder = try EncryptedFolder()
        try folder.makeFile(EncryptedFolder.configuration(1), in: "one.db")
        try folder.makeFile(EncryptedFolder.configuration(2), in: "two.db")
        try folder.makeFile(.recommended, in: "plain.db")
    }

    private func open(_ name: String = "one.db") throws -> Connection {
        try Connection(
            folder.file(name), configuration: name == "plain.db" ? .recommended : EncryptedFolder.configuration(1))
    }

    @Test(arguments: ["one.db", "plain.db"]) func aFileIsAttachedWithItsKey(_ main: String) throws {
        let connection = try open(main)
        try connection.attachDatabase(from: .onDisk(folder.file("two.db")), withName: "Other", encryption: other)
        #expect(try connection.query("SELECT text FROM Other.notes") == EncryptedFolder.needle)
        try connection.run("INSERT INTO other.notes(text) VALUES('more')")
        #expect(try folder.notes(EncryptedFolder.configuration(2), in: "two.db").count == 2)
        #expect(try folder.filesInClear() == ["plain.db"])
    }

    @Test(arguments: ["one.db", "plain.db"]) func aPlainFileIsAttachedBesideIt(_ main: String) throws {
        let connection = try open(main)
        try connection.attachDatabase(from: .onDisk(folder.file("plain.db")), withName: "other", encryption: nil)
        #expect(try connection.query("SELECT text FROM other.notes") == EncryptedFolder.needle)
    }

    @Test func aFileWithTheSameKeyIsAttachedWithoutOne() throws {
        try folder.makeFile(EncryptedFolder.configuration(1), in: "three.db")
        let connection = try open()
        try connection.attachDatabase(
            from: .onDisk(folder.file("three.db")), withName: "other",
            encryption: EncryptedFolder.configuration(1).encryption)
        #expect(try connection.query("SELECT text FROM other.notes") == EncryptedFolder.needle)
    }

    @Test func aKeyThatIsWrongIsRefused() throws {
        let connection = try open()
        func kind(_ name: String, _ encryption: Encryption?) throws -> SQLiteError.Kind? {
            try errorKind {
                try connection.attachDatabase(
                    from: .onDisk(folder.file(name)), withName: "other", encryption: encryption)
            }
        }
        let third = Encryption.rawKey([UInt8](repeating: 3, count: 32))
        #expect(try kind("two.db", third) == .problem(FileProblem.wrongKey, of: .file(folder.file("two.db"))))
        #expect(try kind("plain.db", third) == .problem(FileProblem.notEncrypted, of: .file(folder.file("plain.db"))))
        #expect(try kind("two.db", nil) == .problem(FileProblem.encrypted, of: .file(folder.file("two.db"))))
        #expect(try kind("two.db", .rawKey([])) == .problem(EncryptionProblem.emptyKey))
        #expect(
            try errorKind {
                try connection.attachDatabase(from: .inMemory, withName: "other", encryption: other)
            } == .problem(EncryptionProblem.needsFile))
        // Nothing was attached.
        let count: Int = try connection.query("SELECT count(*) FROM pragma_database_list WHERE name = 'other'")
        #expect(count == 0)
        try connection.attachDatabase(from: .onDisk(folder.file("two.db")), withName: "other", encryption: other)
    }

    @Test func theKeyIsNotTraced() throws {
        let connection = try open()
        var traced: [String] = []
        let token = connection.traceStatements { traced.append($0) }
        defer { withExtendedLifetime(token) {} }
        try connection.attachDatabase(from: .onDisk(folder.file("two.db")), withName: "other", encryption: other)
        #expect(!traced.joined().contains("0202"))
    }

    @Test func aDatabaseThatAClosureDetachesIsAttachedAgain() async throws {
        let (path, plain, key) = (folder.file("two.db"), folder.file("plain.db"), other)
        let database = try Database(
            folder.file("one.db"), configuration: EncryptedFolder.configuration(1),
            preparation: {
                try $0.attachDatabase(from: .onDisk(path), withName: "other", encryption: key)
                try $0.attachDatabase(from: .onDisk(plain), withName: "plain", encryption: nil)
            })
        for _ in 0..<2 {
            try await database.writeWithoutTransaction {
                let count: Int = try $0.query("SELECT count(*) FROM other.notes, plain.notes")
                #expect(count == 1)
                try $0.detachDatabase(named: "other")
                try $0.detachDatabase(named: "plain")
            }
        }
        let count: Int = try await database.read { try $0.query("SELECT count(*) FROM other.notes, plain.notes") }
        #expect(count == 1)
    }

    @Test func aBackupOfAnAttachedFileReadsItWithItsKey() throws {
        let connection = try open()
        try connection.attachDatabase(from: .onDisk(folder.file("two.db")), withName: "other", encryption: other)
        let copy = try Connection(folder.file("copy.db"), configuration: EncryptedFolder.configuration(1))
        try connection.backup(databaseNamed: "other", to: copy).run()
        #expect(try copy.query("SELECT text FROM notes") == EncryptedFolder.needle)
        #expect(try folder.filesInClear() == ["plain.db"])
    }
}
