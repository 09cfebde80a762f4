/// A query with its Swift names.
struct GeneratedQuery {
    let query: CheckedQuery
    /// The name of the functions, without backticks.
    let function: String
    /// The type of a row; `nil` for a query that does not return records.
    let rowType: String?
    let parameters: [GeneratedParameter]

    var declaration: QueryDeclaration { query.declaration }

    /// Whether a statement has a list. Its SQL is made for each call, with all values.
    var hasLists: Bool { query.parameters.contains(where: \.isList) }

    /// The type of the result: `[Car]`, `Car?`, `Int`; `nil` for none.
    var resultType: String? {
        switch query.result {
        case .nothing: nil
        case .changes: "Int"
        case .values(let cardinality, let column):
            cardinality.resultType(of: column.type.name, isOptional: column.isOptional)
        case .records(let cardinality, _): cardinality.resultType(of: rowType ?? "Row", isOptional: false)
        }
    }

    /// The summary of the documentation, and what follows it.
    var documentation: [String] {
        let lines = declaration.documentation
        return lines.isEmpty ? ["Runs the query `\(declaration.name)`."] : lines
    }

    /// The name as documentation refers to it: `cheapCars(limit:)`.
    var signature: String { "\(function)(\(parameters.map { "\($0.label):" }.joined()))" }

    /// The arguments of a call with the parameters of the same names.
    var arguments: String {
        parameters.map { "\(SwiftName.label($0.label)): \(SwiftName.escaped($0.local))" }.joined(separator: ", ")
    }
}

/// A parameter of a generated function.
struct GeneratedParameter {
    /// The name at the call, without backticks.
    let label: String
    /// The name in the function, without backticks.
    let local: String
    let parameter: QueryParameter

    /// The declaration: `limit: Int`, `body bodyValue: String`.
    var declaration: String {
        let optional = parameter.isOptional ? "?" : ""
        let name = parameter.type.name + optional
        let type = parameter.isList ? "[\(name)]" : name
        let names = label == local ? SwiftName.escaped(label) : "\(SwiftName.label(label)) \(SwiftName.escaped(local))"
        return "\(names): \(type)"
    }

    /// The value as it is bound.
    var binding: String {
        parameter.type.binding(
            SwiftName.escaped(local), isOptional: parameter.isOptional, isList: parameter.isList)
    }
}

extension Cardinality {
    fileprivate func resultType(of type: String, isOptional: Bool) -> String? {
        let element = isOptional ? type + "?" : type
        return switch self {
        case .many: "[\(element)]"
        case .one: element
        // NULL and no row are both `nil`.
        case .optional: type + "?"
        case .execute: nil
        }
    }
}
