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
        let others = try chosen.compactMap { known[Identifier($0)] }.compactMap { table in
            try inexactUpdates(of: table, from: database).map { changes.made($0) }
        }
        return others.isEmpty ? changes : try Changeset(combining: [changes] + others)
    }

    /// Returns updates of the rows of which all columns are equal by their collations, or as numbers, and some have other bytes: SQLite
    /// finds no difference in them.
    private func inexactUpdates(of table: RecordedTable, from database: String) throws -> Data? {
        let isBinary = try table.columns.map { try hasBinaryCollation($0, of: table.name, in: "main") }
        let keys = table.columns.indices.filter { table.isKey[$0] }
        let others = table.columns.indices.filter { !table.isKey[$0] }
        let inexact = others.filter {
            !isBinary[$0] || [.none, .blob].contains(Affinity(table.types[$0], isStrict: true))
        }
        if inexact.isEmpty { return nil }
        func list(_ side: SQL, _ positions: [Int], asBytes: Bool = false) -> SQL {
            let values = positions.map { position -> SQL in
                let value: SQL = "\(side).\(name: table.columns[position])"
                return !asBytes ? value : isBinary[position] ? "typeof(\(value))" : "CAST(\(value) AS BLOB)"
            }
            return values.joined(separator: ", ")
        }
        let sql: SQL = """
            SELECT \(list("new", keys + inexact)), \(list("old", inexact)) FROM main.\(name: table.name) AS new
            JOIN \(name: database).\(name: table.name) AS old ON (\(list("new", keys))) = (\(list("old", keys)))
            WHERE (\(list("new", others))) IS (\(list("old", others)))
            AND (\(list("new", inexact, asBytes: true))) IS NOT (\(list("old", inexact, asBytes: true)))
            """
        var writer = ChangesetWriter(isPatchset: false)
        try forEachRowInternally(sql) { row in
            var old = [BindingValue](repeating: .null, count: table.columns.count)
            var new = old
            for (index, position) in keys.enumerated() { old[position] = row.value(Int32(index)) }
            for (index, position) in inexact.enumerated() {
                new[position] = row.value(Int32(keys.count + index))
                old[position] = row.value(Int32(keys.count + inexact.count + index))
            }
            for position in keys { new[position] = old[position] }
            writer.writeUpdate(of: table, isIndirect: false, old: old, new: new)
        }
        return writer.data.isEmpty ? nil : writer.data
    }
}
