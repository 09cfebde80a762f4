/// Writes the type of a row as Swift source.
struct RowSource {
    let row: GeneratedRow
    let access: Access

    private typealias Property = GeneratedRow.Property
    private typealias Nested = GeneratedRow.Nested

    private var type: String { SwiftName.escaped(row.type) }

    private var isHashable: Bool { row.properties.allSatisfy(\.column.type.isHashable) }

    /// The lines of the declaration, with an empty line between its parts.
    var lines: [String] {
        var lines = SwiftText.documentation(documentation)
        let hashable = isHashable ? "Hashable, " : ""
        lines.append("\(access.prefix)nonisolated struct \(type): \(hashable)Sendable {")
        for nested in row.nestedRecords { lines += declaration(of: nested, hashable) + [""] }
        lines += row.fields.map { "    \(access.prefix)let \($0.declaration)" }
        if access == .public { lines += [""] + memberwiseInitializer(row.fields, "    ") }
        lines += ["}", "", "nonisolated extension \(type): ExpressibleByRow {"]
        lines += rowInitializer(access.prefix, row.fields.map { ($0.name, reading($0)) }) + ["}"]
        for nested in row.nestedRecords {
            lines += ["", "nonisolated extension \(type).\(SwiftName.escaped(nested.type)) {"]
            lines += rowInitializer("fileprivate ", nested.properties.map { ($0.name, $0.reading) }) + ["}"]
        }
        return lines
    }

    private var documentation: [String] {
        if row.queries.count == 1, !row.queries[0].documentation.isEmpty { return row.queries[0].documentation }
        let names = row.queries.map { "`\($0.name)`" }
        return ["A row of the \(names.count == 1 ? "query" : "queries") \(names.joined(separator: ", "))."]
    }

    private func declaration(of nested: Nested, _ hashable: String) -> [String] {
        var lines = SwiftText.documentation(
            ["The columns whose names begin with `\(nested.prefix).`."], indentation: "    ")
        lines.append("    \(access.prefix)nonisolated struct \(SwiftName.escaped(nested.type)): \(hashable)Sendable {")
        lines += nested.properties.map { "        \(access.prefix)let \($0.declaration)" }
        if access == .public {
            lines += [""] + memberwiseInitializer(nested.properties.map { .column($0) }, "        ")
        }
        return lines + ["    }"]
    }

    private func memberwiseInitializer(_ fields: [GeneratedRow.Field], _ margin: String) -> [String] {
        SwiftText.list("\(margin)public init", fields.map(\.declaration), " {")
            + fields.map { field in
                let name = SwiftName.escaped(field.name)
                return "\(margin)    self.\(name) = \(name)"
            } + ["\(margin)}"]
    }

    private func rowInitializer(_ access: String, _ values: [(name: String, value: String)]) -> [String] {
        // Assigning properties one after the other took 1.15× the time, because each can throw while others are set.
        let arguments = values.map { "            \(SwiftName.escaped($0.name)): \($0.value)" }
        return ["    \(access)init(row: Row) throws {", "        self.init("]
            + [arguments.joined(separator: ",\n") + ")", "    }"]
    }

    /// Returns an expression that reads a field of the row.
    private func reading(_ field: GeneratedRow.Field) -> String {
        switch field {
        case .column(let property): return property.reading
        case .record(let nested):
            let value = "\(SwiftName.escaped(nested.type))(row: row)"
            guard let presence = nested.presence else { return "try \(value)" }
            let column = row.properties.first { $0.column.index == presence }?.column
            return "try (row.get(\(presence)) as \(column?.type.storedName ?? "BindingValue")?) == nil ? nil : \(value)"
        }
    }
}

extension GeneratedRow {
    fileprivate var nestedRecords: [Nested] {
        fields.compactMap { field in
            if case .record(let nested) = field { nested } else { nil }
        }
    }
}

extension GeneratedRow.Field {
    fileprivate var name: String {
        switch self {
        case .column(let property): property.name
        case .record(let nested): nested.name
        }
    }

    /// The declaration of the property, without `let`.
    fileprivate var declaration: String {
        switch self {
        case .column(let property): property.declaration
        case .record(let nested):
            "\(SwiftName.escaped(nested.name)): \(SwiftName.escaped(nested.type))\(nested.presence == nil ? "" : "?")"
        }
    }
}

extension GeneratedRow.Property {
    fileprivate var declaration: String {
        "\(SwiftName.escaped(name)): \(column.type.name)\(column.isOptional ? "?" : "")"
    }

    /// An expression that reads the property.
    fileprivate var reading: String {
        "try " + column.type.reading("row.get(\(column.index))", isOptional: column.isOptional)
    }
}
