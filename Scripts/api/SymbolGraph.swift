/// The symbol graph of a module, or of its extensions of another module, as `swift symbolgraph-extract` writes it.
struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        struct Kind: Decodable { let identifier: String }
        struct Identifier: Decodable { let precise: String }
        struct Fragment: Decodable { let spelling: String }
        struct Availability: Decodable { let isUnconditionallyUnavailable: Bool? }
        struct Extension: Decodable { let constraints: [Constraint]? }

        struct Constraint: Decodable {
            let kind: String
            let lhs: String
            let rhs: String

            var text: String { "\(lhs) \(kind == "sameType" ? "==" : ":") \(rhs)" }
        }

        let kind: Kind
        let identifier: Identifier
        let pathComponents: [String]
        let declarationFragments: [Fragment]
        let availability: [Availability]?
        let swiftExtension: Extension?
    }

    struct Relationship: Decodable {
        let kind: String
        let source: String
        let target: String
        /// The name of a target of another module.
        let targetFallback: String?
    }

    let symbols: [Symbol]
    let relationships: [Relationship]
}

extension SymbolGraph.Symbol {
    /// The keyword of the kind: `struct`, `method`, `enum.case`.
    var keyword: Substring { kind.identifier.dropFirst("swift.".count) }

    var isType: Bool { ["actor", "class", "enum", "protocol", "struct"].contains(keyword) }

    var isExtension: Bool { keyword == "extension" }

    var isUnavailable: Bool { availability?.contains { $0.isUnconditionallyUnavailable == true } ?? false }

    /// The name without the labels: `insert`, `==`.
    var name: Substring {
        pathComponents[pathComponents.count - 1].prefix { $0 != "(" }
    }

    /// The text of the declaration, without attributes for the optimiser.
    var text: String {
        // An opaque type is followed by the end of a line.
        var text = declarationFragments.map(\.spelling).joined().replacing("\n", with: "")
        for attribute in ["@frozen ", "@inlinable "] { text = text.replacing(attribute, with: "") }
        return text
    }

    /// The `where` clause of the extension, of a member of an extension.
    var constraint: String {
        guard let constraints = swiftExtension?.constraints, !constraints.isEmpty else { return "" }
        return " where " + constraints.map(\.text).joined(separator: ", ")
    }
}
