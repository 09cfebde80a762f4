/// Reads records from the rows of any query, by the names of its columns.
///
/// An exact name precedes one that differs in the case of ASCII letters. Other columns of the query are ignored.
struct NamedRecordReader<Record> {
    private let core: TableCore<Record>
    /// The index in the row of each column of the table; `nil` before the first row.
    private var columnIndexes: [Int32]?

    init(_ core: TableCore<Record>) {
        self.core = core
    }

    /// Throws unless the query has all columns, before it is run.
    ///
    /// SQLite compiles a cached `SELECT *` of an altered table again only at its first step, so that its names may be old. If a name is
    /// missing, the SQL is therefore prepared again.
    func checkColumns(of statement: Statement) throws {
        do {
            _ = try indexes(in: statement.columnNames, sql: statement.sql)
        } catch is ConversionError {
            let fresh = try Statement(connection: statement.connection, sql: SQL(raw: statement.sql))
            _ = try indexes(in: fresh.columnNames, sql: statement.sql)
        }
    }

    /// Reads a record from a row.
    mutating func read(_ row: Row) throws -> Record {
        let layout = row.storage.layout
        let indexes = try columnIndexes ?? indexes(in: layout.names, sql: layout.sql)
        columnIndexes = indexes
        return try indexes.withUnsafeBufferPointer { order in
            var columns = ColumnReader(row, layout: core.layout, order: order.baseAddress)
            // A `ColumnReader` retains neither.
            defer { withExtendedLifetime((row.storage, core)) {} }
            return try core.make(&columns)
        }
    }

    private func indexes(in names: [String], sql: String?) throws -> [Int32] {
        try core.columns.map { column in
            let exact = names.firstIndex { $0.utf8.elementsEqual(column.name.utf8) }
            guard let index = exact ?? names.firstIndex(where: { Identifier($0) == Identifier(column.name) }) else {
                throw ConversionError(
                    missing: column.name, expected: "\(column.valueType)", tableName: core.definition.name, sql: sql
                )
            }
            return Int32(index)
        }
    }
}

extension ConversionError {
    /// The error of a column that a query for records does not have.
    fileprivate init(missing column: String, expected: String, tableName: String, sql: String?) {
        self.init(
            ConversionError(.noSuchColumn, expected: expected, columnName: column, sql: sql),
            columnName: column, tableName: tableName, sql: sql
        )
    }
}

extension Statement {
    /// Returns the records of all rows, by the names of the columns.
    func allByName<Record>(_ core: TableCore<Record>) throws -> [Record] {
        var reader = NamedRecordReader(core)
        try reader.checkColumns(of: self)
        var records: [Record] = []
        try reset()
        try forEachRow { records.append(try reader.read($0)) }
        return records
    }

    /// Returns the record of the first row, by the names of the columns; `nil` when there is none.
    func firstByName<Record>(_ core: TableCore<Record>) throws -> Record? {
        var reader = NamedRecordReader(core)
        try reader.checkColumns(of: self)
        try reset()
        defer { rewind() }
        return try nextRow().map { try reader.read($0) }
    }
}
