#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Squall
import SquallSQLite

extension Connection {
    /// Returns the changes that make the tables of another database file equal to those of `main`.
    ///
    ///     let difference = try connection.difference(from: "other.db", tables: ["cars"])
    ///
    /// The file is attached for the time of the call, and is only read.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - tables: The tables; without a name all tables of `main` but those of a ``SyncLog``. Each must have a declared primary
    ///     key, and the same columns in both.
    /// - Throws: `SQLiteError`: `SQLITE_CANTOPEN` (14) if the file does not exist; with a
    ///   ``RecordingProblem`` for a table that cannot be compared; `SQLITE_SCHEMA` (17) for tables with other
    ///   columns or another primary key; `SQLITE_ERROR` (1) inside a transaction, and if SQLite was built without sessions.
    public func difference(from path: String, tables: [String] = []) throws -> Changeset {
        guard FileManager.default.fileExists(atPath: path) else {
            throw SQLiteError(code: SQLITE_CANTOPEN, message: "the file does not exist: \(path)")
        }
        let name = "squall_difference"
        try attachDatabase(from: .onDisk(path), withName: name)
        defer { try? detachDatabase(named: name) }
        return try difference(fromAttached: name, tables: tables)
    }

    /// Returns the changes that make the tables of an attached database equal to those of `main`.
    ///
    /// - Throws: As ``difference(from:tables:)``.
    public func difference(fromAttached database: String, tables: [String] = []) throws -> Changeset {
        let chosen = try recordableTables(tables)
        let recorder = try startRecording(checked: chosen)
        defer { recorder.stop() }
        let found = try columnNames(in: database)
        for table in chosen {
            guard found[Identifier(table)] != nil else {
                throw SQLiteError(RecordingProblem.unknownTable, of: .table("\(database).\(table)"))
            }
            try recorder.compare(table, with: database)
        }
        let (changes, known) = (try recorder.changeset(), try recordedTablesByName(in: "main"))
        let others = try chosen.compactMap {
            try known[Identifier($0)].flatMap { try inexactUpdates(of: $0, from: database) }
        }
        return try Changeset(combining: [changes] + others.map { changes.made($0) })
    }

    /// Returns updates of the rows that are equal by collations, or as numbers, and have other bytes: SQLite finds no difference in them.
    /// Returns `nil` for a table without such columns.
    private func inexactUpdates(of table: RecordedTable, from database: String) throws -> Data? {
        let inexact = try inexactColumns(of: table)
        if inexact.texts.isEmpty && inexact.numbers.isEmpty { return nil }
        func list(_ side: SQL, _ columns: [String], cast: Bool = false) -> SQL {
            let values = columns.map { "\(side).\(name: $0)" as SQL }
            return values.map { cast ? "CAST(\($0) AS BLOB)" : $0 }.joined(separator: ", ")
        }
        let (all, keys) = (table.columns, table.keyColumns)
        let sql: SQL = """
            SELECT new.*, old.* FROM main.\(name: table.name) AS new JOIN \(name: database).\(name: table.name) AS old
            ON (\(list("new", keys))) = (\(list("old", keys))) WHERE (\(list("new", all))) IS (\(list("old", all)))
            AND (\(list("new", all, cast: true))) IS NOT (\(list("old", all, cast: true)))
            """
        var writer = ChangesetWriter(isPatchset: false)
        try forEachRowInternally(sql) { row in
            let values = (0..<Int32(all.count * 2)).map { row.value($0) }
            writer.writeUpdate(
                of: table, isIndirect: false, old: Array(values.dropFirst(all.count)),
                new: Array(values.prefix(all.count)))
        }
        return writer.data
    }
}
