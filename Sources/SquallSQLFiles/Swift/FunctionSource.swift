/// Writes the functions of a query as Swift source.
struct FunctionSource {
    let query: GeneratedQuery
    /// The names of the static properties with the SQL of the statements: `CarsSQL.cheapCars`.
    let statements: [String]
    let access: Access

    private var result: QueryResultShape { query.query.result }

    /// The lines of the functions of a connection.
    var connectionFunctions: [String] {
        var lines = documentation + attributes
        lines += head(query.parameters.map(\.declaration), "throws") + body(loop: false) + ["    }"]
        if let rowType = loopType {
            lines += [""] + loopDocumentation
            lines += head(
                query.parameters.map(\.declaration) + ["forEach body: (\(rowType)) throws -> Void"], "throws",
                returnsResult: false)
            lines += body(loop: true) + ["    }"]
        }
        return lines
    }

    /// The lines of the function of a database.
    var databaseFunction: [String] {
        let call = query.query.isReadOnly ? "read" : "write"
        let type = query.query.isReadOnly ? "read(deadline:_:)" : "write(deadline:isolated:_:)"
        var lines = SwiftText.documentation(
            query.documentation + [
                "", "Calls ``Squall/Connection/\(query.signature)`` in ``Squall/Database/\(type)``.", "",
                "- Throws: The errors of both.",
            ], indentation: "    ")
        lines += attributes
        lines += head(query.parameters.map(\.declaration), "async throws", isolation: "nonisolated(nonsending) ")
        lines.append("        try await \(call) { try $0.\(SwiftName.escaped(query.function))(\(query.arguments)) }")
        return lines + ["    }"]
    }

    // MARK: - Declaration

    private var attributes: [String] {
        if case .changes = result { ["    @discardableResult"] } else { [] }
    }

    private func head(
        _ parameters: [String], _ effects: String, returnsResult: Bool = true, isolation: String = ""
    ) -> [String] {
        let type = returnsResult ? query.resultType.map { " -> \($0)" } ?? "" : ""
        let name = SwiftName.escaped(query.function)
        return SwiftText.list("    \(access.prefix)\(isolation)func \(name)", parameters, " \(effects)\(type) {")
    }

    /// The type of the rows for which a closure can be called.
    private var loopType: String? {
        if case .records(.many, _) = result { query.rowType.map(SwiftName.escaped) } else { nil }
    }

    // MARK: - Documentation

    private var sqlDocumentation: [String] {
        let sql = query.declaration.statements.map(\.text).joined(separator: ";\n")
        // A fence that the SQL does not end.
        let fence = sql.contains("```") ? "~~~~" : "```"
        return ["\(fence)sql"] + sql.lines + [fence]
    }

    private var documentation: [String] {
        let text = query.documentation + [""] + sqlDocumentation + [""]
        var lines = returns.map { ["- Returns: \($0)"] } ?? []
        var errors = "``SQLiteError``"
        switch result {
        case .nothing, .changes: break
        case .values(.one, _), .records(.one, _):
            errors += "; ``ConversionError`` without a row, and for a value of another type"
        default: errors += "; ``ConversionError`` for a value of another type"
        }
        lines.append("- Throws: \(errors); \(SchemaSource.error)")
        return SwiftText.documentation(text, indentation: "    ")
            + SwiftText.documentation(lines, indentation: "    ", wraps: true)
    }

    private var loopDocumentation: [String] {
        let lines = [
            "", "Calls a closure with each row, one at a time, in constant memory. See ``\(query.signature)``.", "",
            "- Throws: ``SQLiteError``; ``ConversionError`` for a value of another type; the error of the closure, which ends "
                + "the query; \(SchemaSource.error)",
        ]
        return SwiftText.documentation(query.documentation, indentation: "    ")
            + SwiftText.documentation(lines, indentation: "    ", wraps: true)
    }

    private var returns: String? {
        switch result {
        case .nothing: nil
        case .changes: "The number of rows that are changed."
        case .values(.optional, let column) where column.isOptional:
            "The value of the first row; `nil` for NULL and without a row."
        case .values(.optional, _), .records(.optional, _): "The first row; `nil` without one."
        case .values(.one, _), .records(.one, _): "The first row."
        case .values, .records: nil
        }
    }

    // MARK: - Body

    private func body(loop: Bool) -> [String] {
        let margin = "        "
        var lines = ["\(margin)try require(SQLSchema.expected)"]
        let count = query.query.statements.count
        guard count > 1 else { return lines + run(0, loop: loop, margin) }
        let isReadOnly = query.query.isReadOnly
        let returnsResult = query.resultType != nil && !loop
        let inner = margin + SwiftText.indentation
        let statements = (0..<count).flatMap { run($0, loop: loop, inner) }
        let start = returnsResult ? "return try" : "try"
        if isReadOnly {
            lines.append("\(margin)\(start) savepoint {")
            return lines + statements + ["\(margin)}"]
        }
        let type = returnsResult ? query.resultType.map { " -> \($0)" } ?? "" : ""
        lines.append("\(margin)func statements() throws\(type) {")
        lines += statements + ["\(margin)}"]
        // A transaction that begins with a read could not wait for the lock of its first write.
        return lines + [
            "\(margin)\(start) isInTransaction",
            "\(inner)? savepoint(closure: statements)",
            "\(inner): transaction(transactionType: .immediate, closure: statements)",
        ]
    }

    /// Returns the lines that run a statement, and return the result after the last one.
    private func run(_ index: Int, loop: Bool, _ margin: String) -> [String] {
        let source = StatementSource(query: query, index: index)
        var lines: [String] = []
        let arguments: [String]
        if query.hasLists {
            let name = query.query.statements.count == 1 ? "sql" : "sql\(index + 1)"
            lines.append(
                "\(margin)let \(name): SQL = \(source.interpolatedLiteral(indentation: margin + SwiftText.indentation))"
            )
            arguments = [name]
        } else {
            arguments = [statements[index]] + source.values
        }
        func call(_ head: String, _ tail: String = "") -> [String] { SwiftText.list(margin + head, arguments, tail) }
        guard index == query.query.statements.count - 1 else { return lines + call("try run") }
        if loop, let loopType { return lines + call("try forEach", " { try body(\(loopType)(row: $0)) }") }
        switch result {
        case .nothing: return lines + call("try run")
        case .changes: return lines + call("try run") + ["\(margin)return changes"]
        case .records: return lines + call("return try query")
        case .values(let cardinality, let column):
            let (head, tail) = Self.valueQuery(cardinality, column)
            return lines + call("return try \(head)", tail)
        }
    }

    /// Returns the text before and after the arguments of a query for values.
    private static func valueQuery(_ cardinality: Cardinality, _ column: ResultColumn) -> (String, String) {
        let type = column.type
        let isDirect = type.form == .direct && type.isQueryResult
        let read = " { try \(type.reading("$0.get(\(column.index))", isOptional: column.isOptional)) }"
        switch (cardinality, column.isOptional) {
        case (.one, true):
            return ("(query", " as NullableValue<\(type.storedName)>).value" + type.access(isOptional: true))
        case (.one, false) where isDirect, (.optional, true) where isDirect, (.many, true) where isDirect:
            return ("query", "")
        case (.one, false) where type.isQueryResult:
            return ("(query", " as \(type.storedName))" + type.access(isOptional: false))
        case (.one, false): return ("(query", " as RequiredValue<\(type.storedName)>).value")
        case (.optional, true):
            return ("(query", " as NullableValue<\(type.storedName)>?)?.value" + type.access(isOptional: true))
        // Without a closure, `query` would leave out NULL. A NULL that the query promises not to return must throw.
        case (.optional, false), (.many, _), (.execute, _): return ("query", read)
        }
    }
}
