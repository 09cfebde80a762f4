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
        let others = try columnNames(in: database)
        for table in chosen {
            guard others[Identifier(table)] != nil else {
                throw SQLiteError(RecordingProblem.unknownTable, of: .table("\(database).\(table)"))
            }
            try recorder.compare(table, with: database)
        }
        return try recorder.changeset()
    }
}
