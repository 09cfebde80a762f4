/// Makes values of the rows of a query.
@usableFromInline
struct RecordReader<Output>: Sendable {
    @usableFromInline let layout: RecordLayout
    @usableFromInline let make: @Sendable (inout ColumnReader) throws -> Output

    @inlinable
    init(_ layout: RecordLayout, _ make: @escaping @Sendable (inout ColumnReader) throws -> Output) {
        self.layout = layout
        self.make = make
    }

    @inlinable
    @inline(__always)
    func read(_ row: Row, from first: Int = 0) throws -> Output {
        var columns = ColumnReader(row, layout: layout, first: first)
        // A `ColumnReader` retains neither.
        defer { withExtendedLifetime(row.storage) { withExtendedLifetime(layout) {} } }
        return try make(&columns)
    }
}

extension TableCore {
    @inlinable var reader: RecordReader<Record> { RecordReader(layout, make) }

    /// Returns the records that a query of the columns of the table returns.
    package func all(_ sql: SQL, on connection: Connection) throws -> [Record] {
        try connection.withStatement(sql) { try $0.readAll(reader) }
    }

    /// Returns the first record that a query of the columns of the table returns; `nil` when there is none.
    package func first(_ sql: SQL, on connection: Connection) throws -> Record? {
        try connection.withStatement(sql) { try $0.readFirst(self) }
    }
}

extension Statement {
    /// Returns the next row; `nil` at the end.
    // Not `nextRow().map(core.reader.read)`: it took 380 instructions for its closure (callgrind, 2026-11-23).
    @inlinable
    func readFirst<Record>(_ core: TableCore<Record>) throws -> Record? {
        guard let row = try nextRow() else { return nil }
        return try core.reader.read(row)
    }

    /// Returns the remaining rows.
    @inlinable
    func readAll<Output>(_ reader: RecordReader<Output>) throws -> [Output] {
        var result: [Output] = []
        try forEachRow { result.append(try reader.read($0)) }
        return result
    }
}
