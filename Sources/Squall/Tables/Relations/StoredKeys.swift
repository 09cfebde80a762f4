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
    /// Whether the rows begin with the columns of the record's table, in their forms.
    private let areKnown: Bool

    /// Begins with the rows that a reader reads. Of records that a closure makes, and of another table's, it has no keys.
    @usableFromInline
    init<Source: TableRecord>(of reader: SourceReader<Source>) {
        let core = Source.table.core
        func areInForms() -> Bool {
            reader.forms.count == core.columns.count
                && zip(reader.forms, core.columns).allSatisfy { $0.form?.name == $1.form?.name }
        }
        switch reader.reading {
        case .record(let record):
            areKnown = record.layout === core.layout || record.layout.names == core.layout.names && areInForms()
        // The record as the only part of a row: `select { $0.record }`.
        case .layout:
            areKnown =
                areInForms()
                && zip(reader.columnSQL, core.columns).allSatisfy {
                    $0.text.hasSuffix(("\(name: $1.name)" as SQL).text)
                }
        case .closure: areKnown = false
        }
    }

    /// Begins with rows of the columns of a table.
    init() {
        areKnown = true
    }

    /// Adds the column of a relation.
    ///
    /// - Throws: ``SQLiteError`` for a wrong declaration, and for a property without a column.
    @usableFromInline
    mutating func add<Source, Output>(_ relation: Relation<Source, Output>) throws {
        let column = try relation.sourceColumn()
        guard areKnown, !columns.contains(column) else { return }
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
