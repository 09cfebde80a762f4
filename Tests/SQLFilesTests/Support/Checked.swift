import Squall

@testable import SquallSQLFiles

/// Checks one query of ``MatrixSchema``, as a file would have it.
enum Checked {
    /// Returns a query, or its diagnostics as lines.
    static func query(
        _ sql: String..., name: String = "found", cardinality: Cardinality? = nil, row: String? = nil,
        types: [String: TypeDeclaration] = [:], noScan: Bool = false, schema: SQL = MatrixSchema.sql
    ) throws -> (CheckedQuery?, [String]) {
        let (queries, lines) = try all(
            [
                declaration(
                    sql, name: name, cardinality: cardinality, row: row, types: types, noScan: noScan)
            ], schema: schema)
        return (queries.first, lines)
    }

    static func all(_ declarations: [QueryDeclaration], schema: SQL = MatrixSchema.sql) throws -> (
        [CheckedQuery], [String]
    ) {
        let connection = try Connection()
        try connection.execute(schema)
        let (queries, diagnostics) = try QueryChecker(connection, CatalogReader(connection).catalog()).check(
            declarations)
        return (queries, diagnostics.map(\.description))
    }

    static func declaration(
        _ sql: [String], name: String = "found", cardinality: Cardinality? = nil, row: String? = nil,
        types: [String: TypeDeclaration] = [:], noScan: Bool = false
    ) -> QueryDeclaration {
        let source = SourceText(path: "q.sql", text: sql.joined(separator: ";\n"))
        var offset = 0
        let statements = sql.map { text in
            defer { offset += text.utf8.count + 2 }
            return SourceText.Excerpt(text: text, offset: offset)
        }
        let place = SourceLocation(file: "q.sql", line: 1, column: 1)
        return QueryDeclaration(
            name: name, location: place, cardinality: cardinality, row: row, documentation: [],
            types: Dictionary(uniqueKeysWithValues: types.map { (Identifier($0.key), $0.value) }),
            noScan: noScan ? place : nil,
            statements: statements, source: source)
    }

    static func type(
        _ name: String, as form: ValueType.Form = .direct, _ nullability: TypeDeclaration.Nullability = .proved
    ) -> TypeDeclaration {
        TypeDeclaration(
            type: ValueType(name, as: form), nullability: nullability,
            location: SourceLocation(file: "q.sql", line: 9, column: 4))
    }
}

extension CheckedQuery {
    /// The parameters and the result as a function of Swift: `(limit: Int) -> [name: String, price: Int?]`.
    var signature: String {
        let list = parameters.map {
            "\($0.name): \($0.isList ? "[\($0.type.name)]" : $0.type.name)\($0.isOptional ? "?" : "")"
        }
        return "(\(list.joined(separator: ", "))) -> \(result.described)"
    }
}

extension QueryResultShape {
    fileprivate var described: String {
        switch self {
        case .nothing: "nothing"
        case .changes: "changes"
        case .values(let cardinality, let column): "\(cardinality) \(column.described)"
        case .records(let cardinality, let shape):
            "\(cardinality) (\(shape.fields.map(\.described).joined(separator: ", ")))"
        }
    }
}

extension RecordShape.Field {
    fileprivate var described: String {
        switch self {
        case .column(let column): column.described
        case .record(let name, let columns, let presence):
            "\(name): (\(columns.map(\.described).joined(separator: ", ")))\(presence.map { "? by \($0)" } ?? "")"
        }
    }
}

extension ResultColumn {
    fileprivate var described: String {
        "\(name): \(type.name)\(type.form == .direct ? "" : " as \(type.form)")\(isOptional ? "?" : "")"
    }
}
