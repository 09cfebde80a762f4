/// Reads the values of selected columns.
@_documentation(visibility: internal)
public struct SourceReader<Output>: Sendable {
    /// The way from a row to the value.
    @usableFromInline
    enum Reading: Sendable {
        /// Column by column, by a layout of the value in memory.
        case layout(TupleLayout)
        /// As a record of a table.
        case record(RecordReader<Output>)
        /// By a closure. The integer is the index of the first column.
        case closure(@Sendable (Row, Int) throws -> Output)
    }

    @usableFromInline let columns: SelectedColumns
    @usableFromInline let reading: Reading

    init(_ columns: SelectedColumns, _ reading: Reading) {
        self.columns = columns
        self.reading = reading
    }

    init(
        columnSQL: [SQL], forms: [ColumnForm], markedTables: [String] = [],
        read: @escaping @Sendable (Row, Int) throws -> Output
    ) {
        self.init(columnSQL: columnSQL, forms: forms, markedTables: markedTables, reading: .closure(read))
    }

    init(columnSQL: [SQL], forms: [ColumnForm], markedTables: [String] = [], reading: Reading) {
        self.init(SelectedColumns(columnSQL, forms: forms, markedTables: markedTables), reading)
    }

    /// The SQL of all columns.
    var columnSQL: [SQL] { columns.sql }
    /// The form of each column.
    var forms: [ColumnForm] { columns.forms }
    /// The names of the tables in the query whose ``RowMarker/name`` is among the columns.
    var markedTables: [String] { columns.markedTables }

    /// Makes a value of a row, beginning at a column.
    @inlinable
    @inline(__always)
    func read(_ row: Row, _ first: Int = 0) throws -> Output {
        switch reading {
        case .layout(let layout): try layout.read(row, from: first, as: Output.self)
        case .record(let reader): try reader.read(row, from: first)
        case .closure(let read): try read(row, first)
        }
    }

    /// Returns a reader that reads `nil` if all columns are NULL.
    var optional: SourceReader<Output?> {
        SourceReader<Output?>(columnSQL: columnSQL, forms: forms, markedTables: markedTables) {
            [count = forms.count] row, first in
            let isMissing = (first..<first + count).allSatisfy { row.sqliteValue(at: $0)?.isNull ?? true }
            return isMissing ? nil : try read(row, first)
        }
    }

    /// Returns a reader that reads `nil` if a further column is NULL: one of an inner query, or the marker of a table.
    func optional(where column: SQL? = nil, inTable table: String?) -> SourceReader<Output?> {
        guard let marker = column ?? table.map({ "\(name: $0).\(name: RowMarker.name)" }) else { return optional }
        let marked = column == nil ? [table].compactMap(\.self) : []
        let form = ColumnForm(form: nil, stored: .plain)
        return SourceReader<Output?>(
            columnSQL: columnSQL + [marker], forms: forms + [form], markedTables: markedTables + marked
        ) { [count = forms.count] row, first in
            row.sqliteValue(at: first + count)?.isNull ?? true ? nil : try read(row, first)
        }
    }
}

extension TupleLayout {
    /// Adds an element that a reader reads.
    mutating func append<Output>(_ reader: SourceReader<Output>) {
        switch reader.reading {
        case .layout(let layout): append(Output.self, layout)
        case .record(let record): append(columns: reader.forms.count) { try record.read($0, from: $1) }
        case .closure(let read): append(columns: reader.forms.count, read)
        }
    }
}

/// The columns that a query selects. Those of a table are made once.
@usableFromInline
final class SelectedColumns: Sendable {
    /// The SQL of all columns.
    let sql: [SQL]
    /// The columns as a query selects them: `"users"."id", "users"."name"`.
    let list: SQL
    /// The form of each column.
    let forms: [ColumnForm]
    /// The names of the tables in the query whose ``RowMarker/name`` is among the columns.
    let markedTables: [String]

    init(_ sql: [SQL], list: SQL? = nil, forms: [ColumnForm], markedTables: [String] = []) {
        self.sql = sql
        self.list = list ?? sql.joined(separator: ", ")
        self.forms = forms
        self.markedTables = markedTables
    }
}
