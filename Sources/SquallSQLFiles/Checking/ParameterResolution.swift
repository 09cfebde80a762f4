import Squall

/// Finds the parameters of a query: their types, and whether they are optional.
struct ParameterResolution {
    let declaration: QueryDeclaration
    private(set) var parameters: [QueryParameter] = []
    private(set) var diagnostics: [Diagnostic] = []
    /// The names of the parameters, in the order of their first use, without prefixes.
    private(set) var names: [String] = []

    init(_ declaration: QueryDeclaration, _ statements: [CompiledStatement]) {
        self.declaration = declaration
        let tokens = statements.flatMap { statement in
            statement.tokens.filter { $0.kind == .parameter || $0.kind == .list }.map {
                (token: $0, statement: statement)
            }
        }
        var first: [String: (Token, CompiledStatement)] = [:]
        for (token, statement) in tokens {
            let name = String(token.text.dropFirst())
            if token.text.hasPrefix("?") {
                report("a parameter has a name: write :limit in place of \(token.text)", token, statement)
                continue
            }
            guard let (other, _) = first[name] else {
                first[name] = (token, statement)
                names.append(name)
                continue
            }
            if other.kind != token.kind {
                report("\(other.text) is a list in one place, and a value in another", token, statement)
            }
        }
        let uses = Dictionary(grouping: statements.flatMap(\.uses)) { String($0.parameter.dropFirst()) }
        for name in names {
            guard let (token, statement) = first[name] else { continue }
            resolve(name, token, statement, uses[name] ?? [])
        }
    }

    private mutating func report(_ message: String, _ token: Token, _ statement: CompiledStatement) {
        let offset = statement.source.offset + token.range.lowerBound
        diagnostics.append(Diagnostic(.error, message, at: declaration.source.location(at: offset)))
    }

    private mutating func resolve(
        _ name: String, _ token: Token, _ statement: CompiledStatement, _ uses: [Analysis.ParameterUse]
    ) {
        let isList = token.kind == .list
        let declared = declaration.types.ofParameter(name)
        let types = Set(uses.compactMap(\.type))
        guard let type = declared?.type.keepingForm(of: Self.common(types)) ?? Self.common(types) else {
            let key = CommentDeclaration.Keyword(rawValue: name) == nil ? name : ":\(name)"
            if types.isEmpty {
                let cure = "declare it above the query, such as -- \(key): Int"
                report("the type of \(token.text) is not certain; \(cure)", token, statement)
            } else {
                let cure = "declare it above the query: -- \(key): \(types.map(\.name).min() ?? "Int")"
                let names = types.map(\.described).sorted().joined(separator: " and ")
                report("\(token.text) has several types, \(names); \(cure)", token, statement)
            }
            return
        }
        let isOptional =
            declared.map { $0.nullability == .optional }
            ?? (uses.contains(where: \.allowsNull) && !uses.contains(where: \.refusesNull))
        parameters.append(
            QueryParameter(
                name: name, type: isList ? type.element : type, isOptional: isOptional && !isList, isList: isList))
    }

    /// The type that all uses have. A reference to a rowid is an integer as well.
    private static func common(_ types: Set<ValueType>) -> ValueType? {
        if types.count == 1 { return types.first }
        return types == [.int, .rowID] ? .rowID : nil
    }
}

extension [Identifier: TypeDeclaration] {
    /// The declaration of a parameter: `-- :limit: Int`, or `-- limit: Int`.
    func ofParameter(_ name: String) -> TypeDeclaration? { self[Identifier(":\(name)")] ?? self[Identifier(name)] }
}

extension ValueType {
    /// The type of the elements of a list, which may be declared as an array.
    fileprivate var element: ValueType {
        guard form == .direct, name.hasPrefix("["), name.hasSuffix("]"), !name.contains(":") else { return self }
        return ValueType(String(name.dropFirst().dropLast()), as: form)
    }

    /// The type as a comment declares it.
    var described: String { form == .direct ? name : "\(name) as \(form.rawValue)" }
}
