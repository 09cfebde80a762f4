import SquallSQLite

// `@inlinable`, so that the module that adds a table function compiles it for its types.

extension Connection {
    /// Adds a function that returns a table.
    ///
    ///     try connection.addTableFunction("split", columns: "part") {
    ///         (text: String, by: String) in
    ///         text.split(separator: by)
    ///     }
    ///     let parts: [String] = try connection.query("SELECT part FROM split('a,b,c', ',')")
    ///
    /// The closure receives the arguments, as those of ``addFunction(_:deterministic:directOnly:innocuous:_:)-(_,_,_,_,(Argument)->Result)``,
    /// and returns the rows: a sequence of values for one column. Other forms take tuples for several columns, and arrays. SQLite reads as many of them as it needs; a
    /// lazy sequence makes no others. An argument whose type is optional may be left out at the end. ``ThrowingRows`` is a sequence whose
    /// making can fail; the statement throws its error, and that of the closure.
    ///
    /// - Parameters:
    ///   - name: The name of the function in SQL.
    ///   - columns: The names of the columns.
    ///   - directOnly: Whether only statements of the program may call the function. That excludes triggers and views.
    ///   - innocuous: Whether the function has no side effects and reveals no secrets. The schema of any file may then call it, and
    ///     `directOnly` has no effect.
    ///   - function: The closure that SQLite calls for each scan.
    /// - Throws: ``SQLiteError``: `SQLITE_MISUSE` (21) if the number of names differs from that of the values, and for a name with a NUL
    ///   character; `SQLITE_BUSY` (5) inside a function, a virtual table or a collation.
    @inlinable
    public func addTableFunction<each Argument: FunctionArgument, Rows: Sequence>(
        _ name: String, columns: String..., directOnly: Bool = true, innocuous: Bool = false,
        _ function: @escaping (repeat each Argument) throws -> Rows
    ) throws where Rows.Element: StatementParameter {
        try checkColumnCount(of: name, names: columns.count, values: 1)
        try addTableFunction(
            name, columns, types: [Rows.Element.self], FieldBinder.elements(Rows.Element.self),
            ModuleRisk(directOnly: directOnly, innocuous: innocuous), function)
    }

    /// Adds a function that returns a table of several columns, whose rows are tuples.
    ///
    ///     try connection.addTableFunction("letters", columns: "position", "letter") {
    ///         (text: String) in
    ///         text.enumerated().lazy.map { ($0.offset, String($0.element)) }
    ///     }
    ///
    /// - Throws: As the form for one column does.
    @inlinable
    @_disfavoredOverload
    public func addTableFunction<each Argument: FunctionArgument, Rows: Sequence, each Value: StatementParameter>(
        _ name: String, columns: String..., directOnly: Bool = true, innocuous: Bool = false,
        _ function: @escaping (repeat each Argument) throws -> Rows
    ) throws where Rows.Element == (repeat each Value) {
        var types: [any StatementParameter.Type] = []
        repeat types.append((each Value).self)
        try checkColumnCount(of: name, names: columns.count, values: types.count)
        try addTableFunction(
            name, columns, types: types, FieldBinder.elements(repeat (each Value).self),
            ModuleRisk(directOnly: directOnly, innocuous: innocuous), function)
    }

    /// Adds a function that returns a table, whose rows are arrays of values of one type.
    ///
    ///     try connection.addTableFunction("split", columns: "part") {
    ///         (text: String, by: String) in
    ///         text.split(separator: by).lazy.map { [$0] }
    ///     }
    ///
    /// A row of another number of values than there are columns ends the statement with an error. `BindingValue` is a type for values of
    /// all types. An array that is a value itself, as `[UInt8]` is a blob, is a row of one column.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_MISUSE` (21) without a column, and for a name with a NUL character; `SQLITE_BUSY` (5) inside a
    ///   function, a virtual table or a collation.
    @inlinable
    @_disfavoredOverload
    public func addTableFunction<each Argument: FunctionArgument, Rows: Sequence, Value: StatementParameter>(
        _ name: String, columns: String..., directOnly: Bool = true, innocuous: Bool = false,
        _ function: @escaping (repeat each Argument) throws -> Rows
    ) throws where Rows.Element == [Value] {
        let count = columns.count
        try checkColumnCount(of: name, names: count, values: count == 0 ? 1 : count)
        let binders = columns.indices.map { column in
            FieldBinder.computed { row, destination in
                let row = row.assumingMemoryBound(to: [Value].self).pointee
                if row.count != count {
                    throw SQLiteError(
                        code: SQLITE_ERROR,
                        message: "\(name)() returned a row of \(row.count) values for \(count) columns")
                }
                try row[column].bindOrNull(to: destination)
            }
        }
        try addTableFunction(
            name, columns, types: columns.map { _ in Value.self }, binders,
            ModuleRisk(directOnly: directOnly, innocuous: innocuous), function)
    }

    @inlinable
    func addTableFunction<each Argument: FunctionArgument, Rows: Sequence>(
        _ name: String, _ columns: [String], types: [any StatementParameter.Type], _ binders: [FieldBinder],
        _ risk: ModuleRisk, _ function: @escaping (repeat each Argument) throws -> Rows
    ) throws {
        var optional: [Bool] = []
        repeat optional.append(isOptionalArgument((each Argument).self))
        let arguments = TableFunctionArguments(name: name, isOptional: optional)
        let values = zip(zip(columns, types), binders).map { ($0.0, $0.1, $1) }
        try addTableFunction(arguments, columns: values, risk) {
            .rows { scan in
                var index = 0
                do {
                    return try function(repeat try arguments.next((each Argument).self, of: scan, &index))
                } catch let error as ArgumentError {
                    throw arguments.located(error, in: scan)
                }
            }
        }
    }

    @usableFromInline
    func checkColumnCount(of name: String, names: Int, values: Int) throws {
        if names != values {
            throw SQLiteError.misuse(
                .columnCount(expected: values, found: names), hint: "\(name)() needs a name for each column")
        }
    }

    @usableFromInline
    func addTableFunction(
        _ arguments: TableFunctionArguments,
        columns: [(name: String, type: any StatementParameter.Type, binder: FieldBinder)], _ risk: ModuleRisk,
        makeReader: @escaping () -> RowReader
    ) throws {
        try addModule(arguments.name, use: .eponymous, isWritable: false, risk: risk) { _ in
            let values = columns.map {
                VirtualColumn<Void>(
                    $0.name, type: $0.type.declaredColumnType, collation: nil, role: .value($0.binder))
            }
            let parameters = arguments.isOptional.enumerated().map { index, isOptional in
                VirtualColumn<Void>.parameter("argument\(index + 1)", isRequired: !isOptional)
            }
            return try TableBox(
                columns: values + parameters, plan: { _ in VirtualTablePlan(rows: 100) }, drop: {}, writable: nil,
                makeReader: makeReader)
        }
    }
}

extension StatementParameter {
    /// The declared type of a column for this type.
    @usableFromInline static var declaredColumnType: String {
        (ColumnBase.self as? any ColumnReadable.Type)?.declaredType ?? ""
    }
}

/// The arguments of a table function.
@usableFromInline
struct TableFunctionArguments {
    let name: String
    @usableFromInline let isOptional: [Bool]

    @usableFromInline
    init(name: String, isOptional: [Bool]) {
        self.name = name
        self.isOptional = isOptional
    }

    /// Returns the argument at an index, and advances the index.
    @inlinable
    func next<Argument: FunctionArgument>(
        _ type: Argument.Type, of scan: borrowing VirtualTableScan, _ index: inout Int
    ) throws -> Argument {
        defer { index &+= 1 }
        if scan.parameterCount == isOptional.count {
            return try Argument.fromArgument(SQLiteValue(scan.values.unsafelyUnwrapped[index].unsafelyUnwrapped))
        }
        if let value = scan.value(ofParameter: index) { return try Argument.fromArgument(SQLiteValue(value)) }
        // The argument was left out, and is an optional.
        let nothing: Any? = nil
        guard let missing = nothing as? Argument else { throw missingError(index) }
        return missing
    }

    @usableFromInline
    func missingError(_ index: Int) -> SQLiteError {
        SQLiteError(code: SQLITE_ERROR, message: "\(name)() needs argument \(index + 1)")
    }

    /// Returns the error of an argument with the argument's number.
    @usableFromInline
    func located(_ error: ArgumentError, in scan: borrowing VirtualTableScan) -> SQLiteError {
        var number = 1
        for index in isOptional.indices where UInt(bitPattern: scan.value(ofParameter: index)) == error.address {
            number = index + 1
        }
        return error.located(in: name, number: number)
    }
}

@usableFromInline
func isOptionalArgument<Argument: FunctionArgument>(_ type: Argument.Type) -> Bool { type.tupleElement.isOptional }
