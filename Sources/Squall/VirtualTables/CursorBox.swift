import SquallSQLite

/// A cursor: one scan of a virtual table after the other.
final class CursorBox: KeptObject {
    let table: OpenTable
    private let binders: [FieldBinder]
    private let reader: RowReader

    /// The position of the row in the scan, from 1.
    @exclusivity(unchecked) private var position: Int64 = 0
    /// Copies of the values of the parameters, by their number. SQLite reads them back where it checks a condition again.
    private var parameters: [OpaquePointer?]
    private var usesConstraints = false

    init(of table: OpenTable) {
        self.table = table
        binders = table.table.binders
        reader = table.table.makeReader()
        parameters = Array(repeating: nil, count: table.table.requiredParameters.count)
        super.init(callbacks: table.callbacks)
    }

    deinit {
        for value in parameters { sqlite3_value_free(value) }
    }

    var nestingMessage: String {
        @inline(never) get { table.module.nestingMessage }
    }

    /// Begins a scan, and returns the address of its first row.
    func begin(_ scan: consuming VirtualTableScan, _ layout: ScanLayout) throws -> UnsafeRawPointer? {
        for number in parameters.indices {
            sqlite3_value_free(parameters[number])
            parameters[number] = nil
        }
        for (position, number) in layout.parameters.enumerated() {
            guard let copy = sqlite3_value_dup(scan.values?[position]) else {
                throw SQLiteError(code: SQLITE_NOMEM, message: "out of memory")
            }
            parameters[number] = copy
        }
        for (number, isRequired) in table.table.requiredParameters.enumerated()
        where isRequired && parameters[number] == nil {
            let columns = table.table.columns
            let parameter = columns.names[columns.valueCount + number]
            throw SQLiteError(code: SQLITE_ERROR, message: "\(table.name) needs a value for \(parameter)")
        }
        usesConstraints = !layout.terms.isEmpty
        position = 0
        try reader.begin(scan)
        return try advance()
    }

    /// Goes to the next row, and returns its address; `nil` after the last row.
    @inline(__always)
    func advance() throws -> UnsafeRawPointer? {
        position &+= 1
        return try reader.next()
    }

    /// Sets the value of a column of a row as the result.
    @inline(__always)
    func column(_ index: Int, of row: UnsafeRawPointer, to context: OpaquePointer) throws {
        if index < binders.count {
            try binders[index].bind(row, to: BindingDestination(resultOf: context))
        } else {
            copyParameter(index - binders.count, to: context)
        }
    }

    @inline(never)
    private func copyParameter(_ number: Int, to context: OpaquePointer) {
        if let value = parameters[number] {
            sqlite3_result_value(context, value)
        } else {
            sqlite3_result_null(context)
        }
    }

    /// Returns the rowid of the row, or an error if the row has none.
    func identity() throws -> Int64 {
        if let rowID = reader.rowID() { return rowID }
        guard !usesConstraints else {
            throw SQLiteError(
                code: SQLITE_ERROR,
                message: "\(table.name) has no rowids: a table whose plans use constraints returns them from rowID(of:)"
            )
        }
        guard !parameters.isEmpty else { return position }
        // Scans of the same arguments have the same rowids, and those of other arguments different ones.
        var hasher = Hasher()
        for value in parameters { hasher.combine(value.map { SQLiteValue($0).bindingValue } ?? .null) }
        return Int64(hasher.finalize()) &+ position
    }
}
