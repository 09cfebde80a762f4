import Foundation
import Squall
import SquallEncryption
import SquallTestSupport
import Testing

/// Keys of attached files under adverse settings.
@Suite(.enabled(if: EncryptedFolder.hasCipher)) struct AdverseAttachTests {
    private let folder: EncryptedFolder
    private let other = Encryption.rawKey([UInt8](repeating: 2, count: 32))

    init() throws {
        folder = try EncryptedFolder()
    }

    @Test(arguments: ["plain", "own"])
    func aKeyLongerThanTheLimitOfValuesIsNotIgnored(_ main: String) throws {
        var configuration = CrashedFileTests.configuration(main)
        configuration.limits[.length] = 95
        let connection = try Connection(folder.file("main.db"), configuration: configuration)
        let error = try sqliteError {
            let long = Encryption.rawKey([UInt8](repeating: 2, count: 48))
            try connection.attachDatabase(from: .onDisk(folder.file("two.db")), withName: "o", encryption: long)
        }
        #expect(error.resultCode == .tooBig)
        let header = FileManager.default.contents(atPath: folder.file("two.db")) ?? Data()
        #expect(!header.starts(with: Data("SQLite format 3".utf8)))
    }

    @Test func aPathLongerThanTheLimit() throws {
        var configuration = Configuration.recommended
        configuration.limits[.length] = 70
        let connection = try Connection(folder.file("main.db"), configuration: configuration)
        let path = folder.file(String(repeating: "x", count: 100))
        let error = try sqliteError {
            try connection.attachDatabase(from: .onDisk(path), withName: "o", encryption: other)
        }
        #expect(error.resultCode == .tooBig)
    }

    @Test func sortsOfAnAttachedFileStayInMemory() throws {
        let connection = try Connection(folder.file("main.db"))
        try connection.attachDatabase(from: .onDisk(folder.file("two.db")), withName: "o", encryption: other)
        #expect(try connection.query("PRAGMA temp_store") == 2)
    }

    @Test func parametersOfOneFileAreNotThoseOfTheNext() throws {
        var four = other
        four.parameters.compatibility = .sqlCipher4
        try folder.makeFile(EncryptedFolder.configuration(four), in: "four.db")
        try folder.makeFile(EncryptedFolder.configuration(other), in: "default.db")
        let isSQLCipher = SQLiteLibrary.cipher?.name == "SQLCipher"
        for main in ["plain", "own", "sqlcipher"] {
            let connection = try Connection(
                folder.file("\(main).db"), configuration: CrashedFileTests.configuration(main))
            if !isSQLCipher {
                try connection.attachDatabase(from: .onDisk(folder.file("four.db")), withName: "f", encryption: four)
                #expect(try connection.query("SELECT text FROM f.notes") == EncryptedFolder.needle)
            }
            try connection.attachDatabase(from: .onDisk(folder.file("default.db")), withName: "d", encryption: other)
            #expect(try connection.query("SELECT text FROM d.notes") == EncryptedFolder.needle)
            // New files as well.
            try connection.attachDatabase(
                from: .onDisk(folder.file("new-\(main).db")), withName: "n", encryption: other)
            try connection.execute("CREATE TABLE n.notes(text)")
            try connection.run("INSERT INTO n.notes VALUES(\(EncryptedFolder.needle))")
            #expect(
                try folder.notes(EncryptedFolder.configuration(other), in: "new-\(main).db") == [EncryptedFolder.needle]
            )
        }
        #expect(try folder.filesInClear() == ["plain.db"])
    }

    @Test func withoutTheParameterTheKeyOfTheConnectionIsUsed() throws {
        for own in SQLiteLibrary.cipher?.name == "SQLCipher" ? ["own"] : ["own", "sqlcipher"] {
            let configuration = CrashedFileTests.configuration(own)
            try folder.makeFile(configuration, in: "\(own)2.db")
            try folder.makeFile(EncryptedFolder.configuration(2), in: "\(own)3.db")
            let connection = try Connection(folder.file("\(own).db"), configuration: configuration)
            try connection.attachDatabase(from: .onDisk(folder.file("\(own)2.db")), withName: "o")
            #expect(try connection.query("SELECT text FROM o.notes") == EncryptedFolder.needle)
            let error = try sqliteError {
                try connection.attachDatabase(from: .onDisk(folder.file("\(own)3.db")), withName: "p")
            }
            #expect(error.problem(FileProblem.self) == .wrongKey)
            try folder.makeFile(.recommended, in: "\(own)4.db")
            let plain = try sqliteError {
                try connection.attachDatabase(from: .onDisk(folder.file("\(own)4.db")), withName: "p")
            }
            #expect(plain.problem(FileProblem.self) == .notEncrypted)
            try connection.attachDatabase(from: .onDisk(folder.file("\(own)5.db")), withName: "n")
            try connection.execute("CREATE TABLE n.notes(text)")
            try connection.run("INSERT INTO n.notes VALUES(\(EncryptedFolder.needle))")
            #expect(try folder.notes(configuration, in: "\(own)5.db") == [EncryptedFolder.needle])
        }
    }

    @Test(arguments: ["plain", "own"]) func aCopyOfAnAttachedFileIsNotInClear(_ main: String) throws {
        try folder.makeFile(EncryptedFolder.configuration(2), in: "two.db")
        let connection = try Connection(
            folder.file("\(main).db"), configuration: CrashedFileTests.configuration(main))
        try connection.attachDatabase(from: .onDisk(folder.file("two.db")), withName: "o", encryption: other)
        let copy = { try connection.vacuum(databaseNamed: "o", into: folder.file("copy.db")) }
        if main == "plain" {
            #expect(try errorKind(copy) == .problem(UpkeepProblem.encrypted))
        } else {
            try copy()
            #expect(try folder.notes(EncryptedFolder.configuration(1), in: "copy.db") == [EncryptedFolder.needle])
        }
        #expect(try folder.filesInClear(exceptHeaders: true) == [])
        #expect(try folder.notes(EncryptedFolder.configuration(2), in: "two.db") == [EncryptedFolder.needle])
    }

    @Test func temporaryTablesBeforeAnAttachmentAreRefused() throws {
        let connection = try Connection(folder.file("main.db"))
        try connection.execute("PRAGMA temp_store = FILE; CREATE TEMP TABLE kept AS SELECT 1 AS a")
        let attach = {
            try connection.attachDatabase(from: .onDisk(folder.file("two.db")), withName: "o", encryption: other)
        }
        #expect(try errorKind(attach) == .problem(EncryptionProblem.temporaryTables))
        #expect(try connection.query("SELECT a FROM kept") == 1)
        try connection.execute("DROP TABLE kept")
        try attach()
        #expect(try connection.query("PRAGMA temp_store") == 2)
    }

    @Test func aFileIsAttachedInAReadAndInAWriteAndDetachedAtTheirEnd() async throws {
        try folder.makeFile(EncryptedFolder.configuration(2), in: "two.db")
        let database = try Database(folder.file(), configuration: EncryptedFolder.configuration())
        let (path, other) = (folder.file("two.db"), other)
        for _ in 0..<2 {
            try await database.read {
                try $0.attachDatabase(from: .onDisk(path), withName: "o", encryption: other)
                #expect(try $0.query("SELECT text FROM o.notes") == EncryptedFolder.needle)
            }
            try await database.write {
                try $0.attachDatabase(from: .onDisk(path), withName: "o", encryption: other)
                try $0.run("INSERT INTO o.notes(text) VALUES('more')")
            }
        }
        #expect(try folder.notes(EncryptedFolder.configuration(2), in: "two.db").count == 3)
    }
}
