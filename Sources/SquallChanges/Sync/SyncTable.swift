import Squall
import SquallSQLite

/// A table of a log: its columns, and the statements for one of its rows.
struct SyncTable: Sendable {
    let name: String
    let columns: [String]
    let isKey: [Bool]
    /// The default of each column as SQL; `nil` without one.
    private let defaults: [String?]
    let policy: SyncLog.Policy
    /// It takes precedence over the clauses of constraints, which could replace other rows, and over those in triggers: it is left out where
    /// there are none.
    private let orAbort: SQL
    let affinities: [Affinity]

    /// The position of the column of the last writer.
    var stampColumn: Int? {
        guard case .lastWriter(let column, _) = policy else { return nil }
        return columns.firstIndex { Identifier($0) == Identifier(column) }
    }

    /// Reads the columns of a table as they are now.
    ///
    /// - Throws: `SQLiteError`, with a ``RecordingProblem``, if the table does not exist.
    init(_ name: String, policy: SyncLog.Policy, in connection: Connection) throws {
        let catalog = connection.catalog()
        let columns = try catalog.columns(ofTable: name).filter { !$0.isGenerated }
        if columns.isEmpty { throw SQLiteError(RecordingProblem.unknownTable, of: .table(name)) }
        let isStrict = try catalog.listing(ofTable: name)?.isStrict ?? false
        self.name = name
        self.policy = policy
        self.columns = columns.map(\.name)
        isKey = columns.map(\.isInPrimaryKey)
        defaults = columns.map(\.defaultValue)
        affinities = columns.map { Affinity($0.type, isStrict: isStrict) }
        orAbort = try connection.orAbort(name)
    }

    /// A table as it was, whose rows are not read or written.
    init(_ name: String, columns: [String], isKey: [Bool], policy: SyncLog.Policy) {
        self.name = name
        self.columns = columns
        self.isKey = isKey
        self.policy = policy
        defaults = columns.map { _ in nil }
        affinities = columns.map { _ in .none }
        orAbort = ""
    }

    var layout: SyncBatch.Layout { SyncBatch.Layout(name: name, columns: columns, isKey: isKey) }

    func key(of row: [BindingValue]) -> RowKey { RowKey(row, isKey) }

    /// The row of a key in the table; exact, also in a column with another collation.
    private func condition(_ key: RowKey) -> SQL {
        let names = zip(columns, isKey).filter(\.1).map(\.0)
        let values = key.values.map { "\($0)" as SQL }.joined(separator: ", ")
        let exact = key.values.map { "\($0) COLLATE BINARY" as SQL }.joined(separator: ", ")
        // By an index, and not a term for each column, which would be a deep expression.
        return "(\(names: names)) = (\(values)) AND (\(names: names)) = (\(exact))"
    }

    func row(_ key: RowKey, in connection: Connection) throws -> [BindingValue]? {
        let row = try connection.query(
            "SELECT \(names: columns) FROM main.\(name: name) WHERE \(condition(key))")
        return row.map { $0.columns.map(\.bindingValue) }
    }

    func forEachRow(in connection: Connection, _ body: ([BindingValue]) throws -> Void) throws {
        try connection.forEach("SELECT \(names: columns) FROM main.\(name: name)") { row in
            try body(row.columns.map(\.bindingValue))
        }
    }

    func insert(_ row: [BindingValue], in connection: Connection) throws {
        var values: SQL = ""
        for value in row { values += values.text.isEmpty ? "\(value)" : ", \(value)" }
        try connection.run("INSERT\(orAbort) INTO main.\(name: name)(\(names: columns)) VALUES (\(values))")
    }

    func update(_ key: RowKey, to row: [BindingValue], in connection: Connection) throws {
        var assignments: SQL = ""
        for (index, column) in columns.enumerated() where !isKey[index] {
            assignments += assignments.text.isEmpty ? "" : ", "
            assignments += "\(name: column) = \(row[index])"
        }
        if assignments.text.isEmpty { return }
        try connection.run("UPDATE\(orAbort) main.\(name: name) SET \(assignments) WHERE \(condition(key))")
    }

    func delete(_ key: RowKey, in connection: Connection) throws {
        try connection.run("DELETE FROM main.\(name: name) WHERE \(condition(key))")
    }

    /// Returns a row of a replica that did not have the last columns, with their defaults.
    func padded(_ row: [BindingValue]) throws -> [BindingValue] {
        guard row.count < columns.count else { return row }
        return try row + columns.indices.dropFirst(row.count).map { try defaultValue(at: $0) }
    }

    /// Adds the columns that the sender of a row does not have: those of the present row, or their defaults.
    func padded(_ row: [BindingValue], over present: [BindingValue]?) throws -> [BindingValue] {
        try present.map { row + $0.dropFirst(row.count) } ?? padded(row)
    }

    /// Returns the value that a column has in rows that are older than the column.
    func defaultValue(at column: Int) throws -> BindingValue {
        try defaults[column].map { try AddedColumns.value(ofDefault: $0, affinities[column]) } ?? .null
    }
}
