import SquallSQLite

/// One scan of a virtual table: the plan, and the values for it. It is valid only while ``TableSource/rows(_:)`` runs.
public struct VirtualTableScan: ~Copyable {
    /// The ``VirtualTablePlan/id`` of the plan.
    public let plan: Int
    /// The ``VirtualTablePlan/note`` of the plan.
    public let note: String
    @usableFromInline let values: UnsafeMutablePointer<OpaquePointer?>?
    private let layout: ScanLayout
    /// The number of parameters that have a value.
    @usableFromInline let parameterCount: Int
    private let parameterNames: ArraySlice<Identifier>
    private let table: String

    init(
        plan: Int, note: UnsafePointer<CChar>, layout: ScanLayout, values: UnsafeMutablePointer<OpaquePointer?>?,
        columns: ColumnList, table: String
    ) {
        self.plan = plan
        self.note = String(cString: note)
        self.values = values
        self.layout = layout
        parameterCount = layout.parameters.count
        self.table = table
        parameterNames = columns.names[columns.valueCount...]
    }

    /// The number of constraints that the plan uses.
    public var count: Int { layout.terms.count }

    /// Returns the value of a constraint, by its position in the plan.
    ///
    /// The statement may compare with a value of any type. Where the column is one of numbers, a text that spells a number comes as the
    /// number, and where it is one of text, a number comes as text, as SQLite compares them. All other values come as they are: use
    /// `BindingValue`, or ``equalValue(_:as:)``, to get them without an error.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_MISMATCH` (20) for a value of another type; `SQLITE_MISUSE` (21) for a position that the plan does
    ///   not have.
    public func get<Value: FunctionArgument>(_ position: Int, as type: Value.Type = Value.self) throws -> Value {
        let value = try constraint(at: position)
        return try layout.terms[position].affinity.withConverted(value) {
            try read($0, "constraint \(position)")
        }
    }

    /// Returns the value with which rows must be equal; `nil` if it is NULL or of another type, with which no row is equal.
    ///
    ///     guard let n = try scan.equalValue(0, as: Int.self) else { return [] }
    ///
    /// - Throws: ``SQLiteError``, `SQLITE_MISUSE` (21), for a position that the plan does not have.
    public func equalValue<Value: FunctionArgument>(_ position: Int, as type: Value.Type = Value.self) throws -> Value?
    {
        let value = try constraint(at: position)
        return try layout.terms[position].affinity.withConverted(value) { value in
            guard sqlite3_value_type(value) != SQLITE_NULL else { return nil }
            return try? Value.fromArgument(SQLiteValue(value))
        }
    }

    /// Returns all values of an `IN`, which the plan takes as a ``VirtualTableConstraint/list``.
    ///
    /// - Throws: As ``get(_:as:)``.
    public func list<Value: FunctionArgument>(_ position: Int, as type: Value.Type = Value.self) throws -> [Value] {
        let list = try constraint(at: position)
        guard layout.terms[position].isList else { throw misuse("constraint \(position) of the plan is not a list") }
        var values: [Value] = []
        var next: OpaquePointer?
        var code = sqlite3_vtab_in_first(list, &next)
        while code == SQLITE_OK, let value = next {
            try layout.terms[position].affinity.withConverted(value) {
                values.append(try read($0, "constraint \(position)"))
            }
            code = sqlite3_vtab_in_next(list, &next)
        }
        if code != SQLITE_OK, code != SQLITE_DONE { throw SQLiteError(code: code, message: "the list cannot be read") }
        return values
    }

    /// Returns the value of a parameter, or `nil` if the statement gives none.
    ///
    ///     let folder = try scan.parameter("folder", as: String.self)
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_MISMATCH` (20) for a value of another type, and for NULL if the type is not optional;
    ///   `SQLITE_MISUSE` (21) for a name that no parameter has.
    public func parameter<Value: FunctionArgument>(_ name: String, as type: Value.Type = Value.self) throws -> Value? {
        guard let index = parameterNames.firstIndex(of: Identifier(name)) else {
            throw misuse("\(table) has no parameter \(name)")
        }
        let number = index - parameterNames.startIndex
        return try value(ofParameter: number).map { try read($0, name) }
    }

    /// Returns the value of a parameter by its number; `nil` if the statement gives none.
    @usableFromInline
    func value(ofParameter number: Int) -> OpaquePointer? {
        layout.parameters.firstIndex(of: number).flatMap { values?[$0] }
    }

    func constraint(at position: Int) throws -> OpaquePointer {
        guard layout.terms.indices.contains(position), let value = values?[layout.parameters.count + position] else {
            throw misuse("the plan has no constraint \(position)")
        }
        return value
    }

    private func read<Value: FunctionArgument>(_ value: OpaquePointer, _ place: String) throws -> Value {
        do { return try Value.fromArgument(SQLiteValue(value)) } catch { throw typeError(error, place) }
    }

    /// Returns the error of a value that is not a `type`.
    func typeError<T: ColumnReadable>(_ value: OpaquePointer, _ place: String, _ type: T.Type) -> SQLiteError {
        typeError(SQLiteValue(value).argumentError(expecting: type), place)
    }

    private func typeError(_ error: ArgumentError, _ place: String) -> SQLiteError {
        SQLiteError(code: SQLITE_MISMATCH, message: "\(table), \(place): \(error.reason)")
    }

    private func misuse(_ message: String) -> SQLiteError { SQLiteError(code: SQLITE_MISUSE, message: message) }
}

extension Affinity {
    /// Calls a closure with a value as SQLite compares it with a column of the affinity: a text that spells a number as the number, or
    /// a number as text.
    fileprivate func withConverted<Result>(
        _ value: OpaquePointer, _ body: (OpaquePointer) throws -> Result
    ) throws -> Result {
        let type = sqlite3_value_type(value)
        switch self {
        case .integer, .real, .numeric: sqlite3_value_numeric_type(value)
        case .text where type == SQLITE_INTEGER || type == SQLITE_FLOAT: return try Self.withText(of: value, body)
        case .text, .blob, .none: break
        }
        return try body(value)
    }

    /// Only SQLite makes values, and writes numbers as it does.
    private static func withText<Result>(
        of value: OpaquePointer, _ body: (OpaquePointer) throws -> Result
    ) throws -> Result {
        var (handle, statement): (OpaquePointer?, OpaquePointer?) = (nil, nil)
        defer {
            sqlite3_finalize(statement)
            sqlite3_close(handle)
        }
        sqlite3_open(":memory:", &handle)
        sqlite3_prepare_v2(handle, "SELECT CAST(?1 AS TEXT)", -1, &statement, nil)
        sqlite3_bind_value(statement, 1, value)
        guard sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_value(statement, 0) else {
            throw SQLiteError(code: SQLITE_NOMEM, message: "a number cannot be written as text")
        }
        return try body(text)
    }
}
