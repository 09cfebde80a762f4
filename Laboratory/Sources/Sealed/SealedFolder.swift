import Foundation
import LaboratorySupport
import Squall
import SquallEncryption

/// The folder of a trial: an encrypted file whose rows and schema have the needle, its copies, and a folder for temporary files.
struct SealedFolder: Sendable {
    /// A text that must be in no file.
    static let needle = "a needle that stands nowhere in clear"
    static let oldKey = Encryption.rawKey([UInt8](repeating: 1, count: 32))
    static let newKey = Encryption.rawKey([UInt8](repeating: 2, count: 32))
    static let rowCount = 150
    /// The key of the first row that a process adds.
    static let firstAdded = 1_001

    let path: String
    let mode: Configuration.JournalMode

    func file(_ name: String) -> String { "\(path)/\(name)" }
    var main: String { file("main.db") }
    /// The folder for temporary files, which `SQLITE_TMPDIR` names.
    var temporary: String { file("temporary") }

    func configuration(_ key: Encryption?) -> Configuration {
        var configuration = Configuration.recommended
        configuration.journalMode = mode
        configuration.synchronous = .full
        configuration.busyTimeout = .seconds(5)
        configuration.encryption = key
        return configuration
    }

    /// Opens the file. Its cache is small, so that a transaction writes pages before its end.
    func open(_ key: Encryption = oldKey) throws -> Database {
        try Database(main, configuration: configuration(key)) { try $0.execute("PRAGMA cache_size = 10") }
    }

    /// Makes the file with its first rows.
    func fill() throws {
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        let database = try open()
        try database.blocking.write { connection in
            try Self.createTables(connection)
            for id in 1...Self.rowCount { try Self.insert(id, connection) }
        }
        try database.blocking.close()
    }

    static func createTables(_ connection: Connection) throws {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS notes(id INTEGER PRIMARY KEY, text TEXT DEFAULT '\(raw: needle)');
            CREATE TABLE IF NOT EXISTS drafts(id INTEGER PRIMARY KEY, text TEXT);
            """)
    }

    static func insert(_ id: Int, _ connection: Connection, into table: String = "notes") throws {
        try connection.run("INSERT INTO \(name: table) VALUES(\(id), \(text(id)))")
    }

    static func text(_ id: Int) -> String { String(repeating: "\(needle) \(id) ", count: 10 + id % 20) }
}

// MARK: - What must hold

extension SealedFolder {
    /// The files that have the needle, or begin as a database that is not encrypted.
    func filesInClear() -> [String] {
        let manager = FileManager.default
        let names = manager.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return names.sorted().filter { name in
            guard let bytes = manager.contents(atPath: file(name)) else { return false }
            return bytes.range(of: Data(Self.needle.utf8)) != nil || bytes.starts(with: Data("SQLite format 3".utf8))
        }
    }

    /// Whether a key opens a file. Another error than that of a wrong key is thrown; SQLite3 Multiple Ciphers reports damage where there is
    /// a journal.
    func opens(_ key: Encryption, name: String = "main.db") throws -> Bool {
        do {
            _ = try Connection(file(name), mode: .existing, configuration: configuration(key))
            return true
        } catch let error as SQLiteError
            where error.problem(FileProblem.self) == .wrongKey || error.resultCode == .corrupt
        {
            return false
        }
    }

    /// Returns what is wrong with the rows of a file.
    ///
    /// - Parameters:
    ///   - acknowledged: The number of rows that were added and acknowledged. One more may be there.
    func problems(_ key: Encryption, name: String = "main.db", acknowledged: Int) throws -> [String] {
        let connection = try Connection(file(name), mode: .existing, configuration: configuration(key))
        let rows = try connection.query("SELECT id, text FROM notes ORDER BY id", as: (Int, String).self)
        var problems = try connection.integrityCheck().map { "\(name): \($0)" }
        let added = rows.count - Self.rowCount
        let expected = Array(1...Self.rowCount) + (0..<max(0, added)).map { Self.firstAdded + $0 }
        if rows.map(\.0) != expected || added < acknowledged || added > acknowledged + 1 {
            problems.append(
                "\(name): \(rows.count) rows are there, of which \(acknowledged) added ones were acknowledged")
        }
        for (id, text) in rows where text != Self.text(id) { problems.append("\(name): row \(id) has another text") }
        try connection.run("REPLACE INTO drafts VALUES(1, \(Self.needle))")
        return problems
    }
}
