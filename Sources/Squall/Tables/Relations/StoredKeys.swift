/// The values by which relations find other records, as the rows of the records that a query has read store them.
///
/// The value that a record holds can be stored in another way than a program stores it: a UUID in lowercase letters, a date without a
/// time. A query that joins the tables compares what is stored, and so do relations.
@usableFromInline
struct StoredKeys {
    /// The indexes of the columns of the relations.
    private var columns: [Int] = []
    /// The values of each column, in the order of the records.
    private var values: [[BindingValue]] = []
    private let names: [String]?

    /// Begins with the rows that a reader reads. Of other rows than records of the table, it has no keys.
    @usableFromInline
    init<Source: TableRecord>(of reader: SourceReader<Source>) {
        if case .record(let record) = reader.reading { names = record.layout.names } else { names = nil }
    }

    init(names: [String]) {
        self.names = names
    }

    /// Adds the column of a relation.
    ///
    /// - Throws: ``SQLiteError`` for a wrong declaration, and for a property without a column.
    @usableFromInline
    mutating func add<Source, Output>(_ relation: Relation<Source, Output>) throws {
        let column = try relation.sourceColumn()
        guard names == Source.table.core.layout.names, !columns.contains(column) else { return }
        columns.append(column)
        values.append([])
    }

    /// Appends the keys of a record, whose row begins with the record's columns.
    @usableFromInline
    mutating func append(_ row: Row) {
        for index in columns.indices { values[index].append(row.existingValue(at: columns[index]).bindingValue) }
    }

    mutating func append(_ other: StoredKeys) {
        for index in columns.indices { values[index] += other.values[index] }
    }

    var isEmpty: Bool { columns.isEmpty }

    /// Returns the values of a column; `nil` where they are not known.
    func values(of column: Int) -> [BindingValue]? { columns.firstIndex(of: column).map { values[$0] } }
}
