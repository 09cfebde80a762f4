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

/// The names and codecs of the columns that a ``ColumnReader`` reads.
@usableFromInline
final class RecordLayout: Sendable {
    /// More than the number of columns that a table can have.
    static let noColumn: Int32 = 1 << 24

    let tableName: String?
    let names: [String]
    let codecs: [any AnyColumnCodec]
    /// For each column, and for the end, the first column from there on that stores its values in a form; `noColumn` where there is none.
    let formsFrom: [Int32]
    /// The first column with a form, or `noColumn`.
    @usableFromInline let firstForm: Int32

    init(tableName: String?, names: [String], codecs: [any AnyColumnCodec]) {
        self.tableName = tableName
        self.names = names
        self.codecs = codecs
        var formsFrom = [Self.noColumn]
        for (column, codec) in codecs.enumerated().reversed() {
            formsFrom.append(codec.isPlain ? formsFrom.last ?? Self.noColumn : Int32(column))
        }
        self.formsFrom = formsFrom.reversed()
        firstForm = self.formsFrom[0]
    }
}
