/// Gives the queries of a module their Swift names.
struct GeneratedNames {
    private(set) var queries: [GeneratedQuery] = []
    /// The row types, in the order of their first use.
    private(set) var rows: [GeneratedRow] = []
    private(set) var diagnostics: [Diagnostic] = []

    /// The names that row types cannot have: those of the types that generated code and queries refer to, and those of functions,
    /// which hide types. Names without upper and lower case, such as 車, can be both.
    private var reservedTypes = ReservedNames.types
    private var functions: [String: SourceLocation] = [:]
    private var rowIndexes: [String: Int] = [:]

    init(_ checked: [CheckedQuery]) {
        for query in checked {
            let types = query.parameters.map(\.type) + query.result.columns.map(\.type)
            reservedTypes.formUnion(types.flatMap(\.identifiers) + [Self.function(query)])
        }
        for query in checked { add(query) }
    }

    /// Whether a name is that of a type, which another declaration cannot have.
    func isTaken(_ type: String) -> Bool { reservedTypes.contains(type) || rowIndexes[type] != nil }

    private static func function(_ query: CheckedQuery) -> String {
        SwiftName.property(query.declaration.name, keepingEmoji: true, orElse: "query")
    }

    private mutating func add(_ query: CheckedQuery) {
        let declaration = query.declaration
        let function = Self.function(query)
        if ReservedNames.functions.contains(function) {
            report(
                "the name '\(declaration.name)' is a keyword of Swift, or a member that Squall has: choose another",
                declaration)
        } else if let other = functions[function] {
            report(
                "the query '\(declaration.name)' has the Swift name of the query at \(other): '\(function)'",
                declaration)
        }
        functions[function] = declaration.location
        var rowType: String?
        if case .records(_, let shape) = query.result { rowType = addRow(shape, of: query) }
        queries.append(
            GeneratedQuery(
                query: query, function: function, rowType: rowType, parameters: Self.parameters(query.parameters)))
    }

    /// Adds the row type of a query, unless another query has declared it.
    ///
    /// - Returns: The name of the type.
    private mutating func addRow(_ shape: RecordShape, of query: CheckedQuery) -> String {
        let declaration = query.declaration
        var type = SwiftName.type(shape.name ?? declaration.name, keepingEmoji: true, orElse: "Query")
        if reservedTypes.contains(type) {
            if let name = shape.name {
                report("the row type '\(name)' has a name that the generated code uses: choose another", declaration)
            }
            type += "Row"
        }
        guard let index = rowIndexes[type] else {
            rowIndexes[type] = rows.count
            rows.append(GeneratedRow(type, shape, of: declaration, reservedTypes))
            return type
        }
        do {
            try rows[index].merge(shape, of: declaration)
        } catch {
            let other = rows[index].queries[0]
            report(
                "the row type '\(type)' is also that of the query '\(other.name)', but \(error.difference): "
                    + "select the same columns in both, or give one another type by '-- row: Name'", declaration)
        }
        return type
    }

    private mutating func report(_ message: String, _ declaration: QueryDeclaration) {
        diagnostics.append(Diagnostic(.error, message, at: declaration.location))
    }

    /// Returns the parameters with names that differ from one another and from the names that the function uses.
    private static func parameters(_ parameters: [QueryParameter]) -> [GeneratedParameter] {
        var labels = UniqueNames(reserving: ["forEach"])
        let names = parameters.enumerated().map { index, parameter in
            labels.unique(SwiftName.property(parameter.name, keepingEmoji: true, orElse: "value\(index + 1)"))
        }
        var locals = UniqueNames(reserving: ReservedNames.functions.union(names))
        return zip(names, parameters).map { name, parameter in
            let isReserved = ReservedNames.functions.contains(name)
            return GeneratedParameter(
                label: name, local: isReserved ? locals.unique(name + "Value") : name, parameter: parameter)
        }
    }
}

extension QueryResultShape {
    /// The columns of the result.
    var columns: [ResultColumn] {
        switch self {
        case .nothing, .changes: []
        case .values(_, let column): [column]
        case .records(_, let shape): shape.fields.flatMap(\.columns)
        }
    }
}

extension RecordShape.Field {
    /// The columns of the field.
    var columns: [ResultColumn] {
        switch self {
        case .column(let column): [column]
        case .record(_, let columns, _): columns
        }
    }
}
