import SquallSQLite

/// A cursor: one scan of a virtual table after the other.
///
/// The class is not generic. Its closures are made where the table is registered, for its exact types, as those of ``FunctionBox``.
@usableFromInline
final class CursorBox {
    /// Begins a scan.
    @usableFromInline typealias Filter = (borrowing Scan) throws -> Void
    /// Goes to the next row; `false` after the last.
    @usableFromInline typealias Advance = () throws -> Bool
    /// Binds a column of the row.
    @usableFromInline typealias ColumnBinder = (Int, BindingDestination) throws -> Void

    let filter: Filter
    let next: Advance
    let column: ColumnBinder
    /// Returns the rowid of the row; `nil` for its position.
    let rowID: () -> Int64?

    /// The position of the row in the scan, from 1.
    @exclusivity(unchecked) private(set) var position: Int64 = 0
    /// Copies of the values of the parameters, by their number. SQLite reads them back where it checks a condition again.
    private var parameters: [OpaquePointer?]
    private var usesConstraints = false

    @usableFromInline
    init(
        parameterCount: Int, filter: @escaping Filter, next: @escaping Advance, column: @escaping ColumnBinder,
        rowID: @escaping () -> Int64?
    ) {
        parameters = Array(repeating: nil, count: parameterCount)
        self.filter = filter
        self.next = next
        self.column = column
        self.rowID = rowID
    }

    deinit {
        for value in parameters { sqlite3_value_free(value) }
    }

    func begin(_ scan: consuming Scan, _ layout: ScanLayout) throws -> Bool {
        for number in parameters.indices {
            sqlite3_value_free(parameters[number])
            parameters[number] = nil
        }
        for (position, number) in layout.parameters.enumerated() {
            parameters[number] = sqlite3_value_dup(scan.values?[position])
        }
        usesConstraints = !layout.terms.isEmpty
        position = 0
        try filter(scan)
        return try advance()
    }

    @inline(__always)
    func advance() throws -> Bool {
        position &+= 1
        return try next()
    }

    /// Sets the value of a parameter as the value of its column.
    func copyParameter(_ number: Int, to context: OpaquePointer) {
        if let value = parameters[number] {
            sqlite3_result_value(context, value)
        } else {
            sqlite3_result_null(context)
        }
    }

    /// Returns the rowid of the row, or an error if the row has none.
    func identity(in table: String) throws -> Int64 {
        if let rowID = rowID() { return rowID }
        guard !usesConstraints else {
            throw SQLiteError(
                code: SQLITE_ERROR,
                message: "\(table) has no rowids: a table whose plans use constraints returns them from rowID(of:)")
        }
        guard !parameters.isEmpty else { return position }
        // Scans of the same arguments have the same rowids, and those of other arguments different ones.
        var hasher = Hasher()
        for value in parameters { hasher.combine(value.map { SQLiteValue($0).bindingValue } ?? .null) }
        return Int64(hasher.finalize()) &+ position
    }
}
