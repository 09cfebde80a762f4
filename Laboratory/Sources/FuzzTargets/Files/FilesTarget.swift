import Foundation
import Squall

extension FuzzTarget {
    /// A database file with damaged bytes, opened as a file of strangers and read through every decoder.
    static let files = FuzzTarget(
        "files", "damaged database files, all decoders", longestInput: 16_384, seeds: { try FileSeeds.all() },
        run: { try DamagedFile(bytes: $0).run() })
}

/// A database file whose bytes are those of the fuzzer.
struct DamagedFile {
    let bytes: [UInt8]

    /// The settings for files of strangers, with a shorter time for each statement.
    static let configuration: Configuration = {
        var configuration = Configuration.untrusted
        configuration.busyTimeout = nil
        configuration.synchronous = .off
        configuration.timeLimit = .milliseconds(200)
        return configuration
    }()

    private static let queries: [SQL] = [
        "SELECT * FROM notes LIMIT 50", "SELECT * FROM notes WHERE name > '' ORDER BY name LIMIT 50",
        "SELECT * FROM notes ORDER BY score DESC LIMIT 50", "SELECT * FROM pairs LIMIT 50",
        "SELECT * FROM titles LIMIT 50",
        "SELECT rowid, typeof(bytes), length(bytes), substr(name, 1, 20), made, count(*) FROM notes GROUP BY kind LIMIT 50",
        "SELECT n.*, p.value FROM notes n JOIN pairs p ON p.key = n.name LIMIT 50",
        "SELECT * FROM sqlite_schema LIMIT 50", "SELECT key, atom FROM notes, json_each(notes.bytes) LIMIT 50",
    ]

    func run() throws {
        let path = try InputDirectory.shared.write(bytes, to: "files.db")
        try allowingErrors {
            let file = try Connection(path, mode: .immutable, configuration: Self.configuration)
            for query in Self.queries {
                try requireInTime { try allowingErrors { try Decoders(connection: file, query: query).run() } }
            }
            try readRecords(file)
            try describe(file)
        }
        try allowingErrors {
            try change(try Connection(path, mode: .existing, configuration: Self.configuration))
        }
    }

    /// Runs a query through each decoder. The statements end after their time limit, also in damaged pages.
    private func requireInTime(_ body: () throws -> Void?) throws {
        let start = ContinuousClock.now
        _ = try body()
        let duration = ContinuousClock.now - start
        try require(duration < .seconds(10), "the decoders of one query took \(duration)")
    }

    /// Reads the table of notes by its record, by `Decodable` and by tuples: each value is the same.
    private func readRecords(_ file: Connection) throws {
        let records = try allowingErrors { try file.all(Note.self) }
        let decoded: [Note.Codable]? = try allowingErrors { try file.query("SELECT * FROM notes") }
        let tuples = try allowingErrors {
            try file.query("SELECT id, name, score, bytes FROM notes", as: (Int64, String, Double?, Data?).self)
        }
        if let records, let decoded {
            // A damaged table can give other rows to a query that takes another way through it.
            for (record, other) in zip(records, decoded) where record.id == other.id {
                try require(record.isEqual(to: other), "a record and its Decodable form differ: \(record), \(other)")
            }
        }
        if let records, let tuples {
            for (record, tuple) in zip(records, tuples) where record.id == tuple.0 {
                try require(record.name == tuple.1 && record.bytes == tuple.3, "a record and its tuple differ")
            }
        }
        try allowingErrors {
            var cursor = try file.rows("SELECT id, made, kind FROM notes", as: (Int64, Date?, String?).self)
            while try cursor.next() != nil {}
        }
        for id: Int64 in [1, 2, 3, 7] {
            try allowingErrors { _ = try file.find(Note.self, id) }
            try allowingErrors {
                try file.withBlob(in: "notes", column: "bytes", row: id) { blob in
                    let all = try blob.data()
                    try requireEqual(all.count, blob.count, "the length of a blob")
                    if !all.isEmpty {
                        try requireEqual(try blob.data(in: 1..<all.count), all.dropFirst(), "a part of a blob")
                    }
                }
            }
        }
    }

    private func describe(_ file: Connection) throws {
        try allowingErrors { _ = try file.quickCheck() }
        try allowingErrors { _ = try file.integrityCheck(maxErrors: 3) }
        try allowingErrors { _ = try file.foreignKeyCheck() }
        try allowingErrors { _ = try file.schemaDefinition() }
        try allowingErrors { _ = try file.plan(toMatch: [Note.table.definition]).description }
        try allowingErrors { _ = try file.explainQueryPlan("SELECT * FROM notes WHERE name = 'a'") }
        try allowingErrors { _ = try file.serialize() }
    }

    /// Writes into the file, and adds a column by copying its table.
    private func change(_ file: Connection) throws {
        try allowingErrors {
            try file.insert(Note(id: nil, name: "new", score: 1, bytes: Data([0]), made: nil, kind: nil))
        }
        try allowingErrors { try file.update("notes", set: ["score": 2], where: "id < 3") }
        try allowingErrors { try file.delete(from: "pairs", where: "key > 'k'") }
        let schema = Schema("fuzz") {
            Version(1) { AlterTable("notes") { AddColumn("more", Int.self, fillingWith: "id") } }
        }
        try allowingErrors { try schema.migrate(file) }
        try allowingErrors { try file.vacuum() }
        try allowingErrors { _ = try file.all(Note.self) }
        try require(!file.isInTransaction, "a transaction is left open")
    }
}
