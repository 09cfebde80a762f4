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

    private static let require = "try require(SQLSchema.expected)"

    private func body(loop: Bool) -> [String] {
        let returnsResult = query.resultType != nil && !loop
        return query.query.isReadOnly ? readingBody(loop, returnsResult) : writingBody(loop, returnsResult)
    }

    /// Returns the lines of a query that reads. The schema is checked again afterwards, if SQLite has compiled a statement in the
    /// meantime.
    private func readingBody(_ loop: Bool, _ returnsResult: Bool) -> [String] {
        let count = query.query.statements.count
        guard count > 1 else {
            let constants = constant(0, margin)
            let start = constants.isEmpty || !returnsResult ? "" : "return "
            return constants + ["\(margin)\(start)\(Self.require) {"] + last(loop, isOnly: true, inner) + ["\(margin)}"]
        }
        let margins = [margin, inner, inner + SwiftText.indentation]
        return ["\(margins[0])\(Self.require) {", "\(margins[1])try savepoint(transactionType: .deferred) {"] + all(loop, margins[2])
            + ["\(margins[1])}", "\(margins[0])}"]
    }

    /// Returns the lines of a query that writes. Several statements run in a transaction.
    private func writingBody(_ loop: Bool, _ returnsResult: Bool) -> [String] {
        let require = [Self.require]
        guard query.query.statements.count > 1 else { return require.map { margin + $0 } + all(loop, margin) }
        let type = returnsResult ? query.resultType.map { " -> \($0)" } ?? "" : ""
        // A transaction that begins with a read could not wait for the lock of its first write.
        return ["\(margin)func statements() throws\(type) {"] + require.map { inner + $0 } + all(loop, inner) + [
            "\(margin)}",
            "\(margin)\(returnsResult ? "return " : "")try isInTransaction",
            "\(inner)? savepoint(closure: statements)",
            "\(inner): transaction(transactionType: .immediate, closure: statements)",
        ]
    }

    private var margin: String { SwiftText.indentation + SwiftText.indentation }
    private var inner: String { margin + SwiftText.indentation }

    /// Returns the lines that run all statements, and return the result after the last one.
    private func all(_ loop: Bool, _ margin: String) -> [String] {
        let end = query.query.statements.count - 1
        return (0..<end).flatMap { constant($0, margin) + call($0, "try run", "", margin) }
            + constant(end, margin) + last(loop, isOnly: false, margin)
    }

    /// Returns the declaration of the SQL of a statement with lists.
    private func constant(_ index: Int, _ margin: String) -> [String] {
        if !query.hasLists { return [] }
        let source = StatementSource(query: query, index: index)
        let literal = source.interpolatedLiteral(indentation: margin + SwiftText.indentation)
        return ["\(margin)let \(constantName(index)): SQL = \(literal)"]
    }

    private func constantName(_ index: Int) -> String {
        query.query.statements.count == 1 ? "sql" : "sql\(index + 1)"
    }

    /// Returns the lines of a call with the SQL of a statement and its values.
    private func call(_ index: Int, _ head: String, _ tail: String, _ margin: String) -> [String] {
        let values = StatementSource(query: query, index: index).values
        let arguments = query.hasLists ? [constantName(index)] : [statements[index]] + values
        return SwiftText.list(margin + head, arguments, tail)
    }

    /// Returns the lines that run the last statement and return its result.
    ///
    /// - Parameter isOnly: Whether nothing stands before them in their closure, so that the result needs no `return`.
    private func last(_ loop: Bool, isOnly: Bool, _ margin: String) -> [String] {
        let index = query.query.statements.count - 1
        let start = isOnly ? "try " : "return try "
        if loop, let loopType {
            return call(index, "try forEach", " { try body(\(loopType)(row: $0)) }", margin)
        }
        switch result {
        case .nothing: return call(index, "try run", "", margin)
        case .changes: return call(index, "try run", "", margin) + ["\(margin)return changes"]
        case .records: return call(index, start + "query", "", margin)
        case .values(let cardinality, let column):
            let (head, tail) = Self.valueQuery(cardinality, column)
            return call(index, start + head, tail, margin)
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
