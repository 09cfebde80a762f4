import Foundation
import Squall
import SquallEncryption
import SquallTestSupport
import Testing

/// A file that a crash left with its log or journal, opened with a key that is not its own, loses nothing.
@Suite(.enabled(if: EncryptedFolder.hasCipher)) struct CrashedFileTests {
    private let folder: EncryptedFolder

    init() throws {
        folder = try EncryptedFolder()
    }

    /// The configurations by a name for the arguments of tests.
    static func configuration(_ name: String) -> Configuration {
        switch name {
        case "plain": .recommended
        case "other": EncryptedFolder.configuration(2)
        case "sqlcipher":
            {
                var encryption = EncryptedFolder.configuration().encryption
                encryption?.parameters.compatibility = .sqlCipher4
                var configuration = Configuration.recommended
                configuration.encryption = encryption
                return configuration
            }()
        default: EncryptedFolder.configuration(1)
        }
    }

    /// Makes a file `crashed.db` with a log that has commits, or with the journal of a transaction that has not ended.
    private func crash(_ configuration: Configuration, _ mode: Configuration.JournalMode) throws {
        var configuration = configuration
        configuration.journalMode = mode
        let connection = try Connection(folder.file(), configuration: configuration)
        try connection.execute("CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT)")
        try connection.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
            INSERT INTO notes SELECT i, printf('%0300d', i) FROM n
            """)
        if mode != .wal {
            try connection.execute("PRAGMA cache_size = 1")
            try connection.execute("PRAGMA synchronous = FULL")
            try connection.execute("BEGIN; UPDATE notes SET text = 'lost' || text;")
        }
        for suffix in ["", mode == .wal ? "-wal" : "-journal"] {
            try FileManager.default.copyItem(
                atPath: folder.file() + suffix, toPath: folder.file("crashed.db") + suffix)
        }
        if mode != .wal { try connection.execute("ROLLBACK") }
    }

    private func expectAllRows(_ configuration: Configuration) throws {
        let connection = try Connection(folder.file("crashed.db"), mode: .existing, configuration: configuration)
        let texts: [String] = try connection.query("SELECT text FROM notes ORDER BY id")
        #expect(texts.count == 1_000)
        #expect(texts.first?.count == 300)
        #expect(texts.last?.count == 300)
        let check: String = try connection.query("PRAGMA integrity_check")
        #expect(check == "ok")
    }

    @Test(
        arguments: ["plain", "own", "sqlcipher"],
        ["other", "plain", "own"].flatMap { [($0, Configuration.JournalMode.wal), ($0, .delete)] })
    func nothingIsLost(_ own: String, _ opening: (String, Configuration.JournalMode)) throws {
        let (opener, mode) = opening
        try crash(Self.configuration(own), mode)
        if opener != own {
            // A library may play back the log or the journal, whose pages are encrypted.
            _ =
                try? Connection(
                    folder.file("crashed.db"), mode: .existing, configuration: Self.configuration(opener)
                ).query("SELECT count(*) FROM notes") as Int?
        }
        try expectAllRows(Self.configuration(own))
    }
}
