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
    func read(_ row: Row) throws -> Output {
        var columns = ColumnReader(row, layout: layout)
        // A `ColumnReader` retains neither.
        defer { withExtendedLifetime(row.storage) { withExtendedLifetime(layout) {} } }
        return try make(&columns)
    }
}

extension TableCore {
    @inlinable var reader: RecordReader<Record> { RecordReader(layout, make) }
}

extension Statement {
    /// Returns the remaining rows.
    @inlinable
    func readAll<Output>(_ reader: RecordReader<Output>) throws -> [Output] {
        var result: [Output] = []
        try forEachRow { result.append(try reader.read($0)) }
        return result
    }
}
