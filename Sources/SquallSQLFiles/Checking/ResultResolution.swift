import Squall

/// Finds what a query returns: its columns with their types.
struct ResultResolution {
    let declaration: QueryDeclaration
    let statement: CompiledStatement
    private(set) var diagnostics: [Diagnostic] = []
    private(set) var shape = QueryResultShape.nothing

    init(_ declaration: QueryDeclaration, _ statement: CompiledStatement) {
        self.declaration = declaration
        self.statement = statement
        let hasColumns = !statement.columnNames.isEmpty
        let cardinality = declaration.cardinality ?? (hasColumns ? .many : .execute)
        if cardinality == .execute {
            if let row = declaration.row { report("\(declaration.name) returns no rows of \(row)", at: nil) }
            shape = statement.syntax?.isWrite == true ? .changes : .nothing
        } else if !hasColumns {
            report("\(declaration.name) returns no rows: RETURNING makes a statement that writes return some", at: nil)
        } else {
            resolveRows(cardinality)
        }
    }

    private mutating func report(_ message: String, at index: Int?) {
        let range = index.flatMap { statement.results[safe: $0]?.range }
        let location = range.map { declaration.source.location(at: statement.source.offset + $0.lowerBound) }
        diagnostics.append(Diagnostic(.error, message, at: location ?? declaration.location))
    }

    private mutating func resolveRows(_ cardinality: Cardinality) {
        let columns = statement.columnNames.indices.compactMap { column($0) }
        guard columns.count == statement.columnNames.count else { return }
        if columns.count == 1, declaration.row == nil {
            shape = .values(cardinality, columns[0])
            return
        }
        checkNames()
        shape = .records(cardinality, RecordShape(name: declaration.row, fields: fields(columns)))
    }

    /// Names must be written, because SQLite does not promise what it calls an expression.
    private mutating func checkNames() {
        var seen: Set<Identifier> = []
        for (index, name) in statement.columnNames.enumerated() {
            if statement.results[safe: index]?.name == nil, !statement.results.isEmpty {
                report("the column \(name) needs a name: \(name) AS …", at: index)
            } else if !seen.insert(Identifier(name)).inserted {
                report("two columns are called \(name): give one another name with AS", at: index)
            }
        }
    }

    private mutating func column(_ index: Int) -> ResultColumn? {
        let name = statement.columnNames[index]
        let inferred = statement.results[safe: index]?.value ?? .unknown
        let declared = declaration.types[Identifier(name)]
        guard let type = declared?.type.keepingForm(of: inferred.type) ?? inferred.type else {
            report("the type of the column \(name) is not certain; \(Self.cure(name))", at: index)
            return nil
        }
        let isOptional =
            switch declared?.nullability {
            case .optional: true
            case .promised: false
            case .proved, nil: inferred.isNullable
            }
        return ResultColumn(name: name, index: index, type: type, isOptional: isOptional)
    }

    /// How to declare the type of a column; `Int` is an example. A name that is a keyword of comments stands in quotes.
    private static func cure(_ name: String) -> String {
        guard name.utf8.allSatisfy({ $0.isOfWord || $0 == UInt8(ascii: ".") }), name.utf8.first?.isDigit == false else {
            return "name it with AS, and declare it above the query, such as -- value: Int"
        }
        let isQuoted = name.contains(".") || CommentDeclaration.Keyword(rawValue: name) != nil
        return "declare it above the query, such as -- \(isQuoted ? "\"\(name)\"" : name): Int"
    }

    // MARK: Nested records

    private mutating func fields(_ columns: [ResultColumn]) -> [RecordShape.Field] {
        var fields: [RecordShape.Field] = []
        var places: [Identifier: Int] = [:]
        for column in columns {
            guard let dot = column.name.firstIndex(of: "."), dot != column.name.startIndex else {
                fields.append(.column(column))
                continue
            }
            let prefix = String(column.name[..<dot])
            let rest = String(column.name[dot...].dropFirst())
            let nested = ResultColumn(name: rest, index: column.index, type: column.type, isOptional: column.isOptional)
            if let place = places[Identifier(prefix)], case .record(let name, let before, _) = fields[place] {
                fields[place] = .record(name: name, columns: before + [nested], presence: nil)
            } else {
                places[Identifier(prefix)] = fields.count
                fields.append(.record(name: prefix, columns: [nested], presence: nil))
            }
        }
        for case .column(let column) in fields where places[Identifier(column.name)] != nil {
            report("\(column.name) is the name of a column and of a record", at: column.index)
        }
        return fields.map(resolvePresence)
    }

    /// Makes a record optional if all its columns are of one table of an outer join, of which one cannot be NULL in a row that
    /// exists.
    private func resolvePresence(_ field: RecordShape.Field) -> RecordShape.Field {
        guard case .record(let name, let columns, _) = field else { return field }
        let inferred = columns.compactMap { statement.results[safe: $0.index]?.value }
        let sources = Set(inferred.map { $0.origin?.source })
        guard inferred.count == columns.count, sources.count == 1, sources.first != .some(nil),
            let presence = zip(columns, inferred).first(where: { $1.isNullable && !$1.isNullableInRow })
        else { return field }
        let present = zip(columns, inferred).map { column, value in
            let isDeclared = declaration.types[Identifier("\(name).\(column.name)")]?.nullability == .optional
            return ResultColumn(
                name: column.name, index: column.index, type: column.type,
                isOptional: isDeclared || column.isOptional && value.isNullableInRow)
        }
        return .record(name: name, columns: present, presence: presence.0.index)
    }
}

extension StatementSyntax {
    /// Whether the statement inserts, updates or deletes rows.
    fileprivate var isWrite: Bool {
        switch self {
        case .insert, .update, .delete: true
        case .select, .other: false
        }
    }
}
