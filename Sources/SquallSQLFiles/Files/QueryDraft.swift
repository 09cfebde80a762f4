import Squall

/// A query that is being read from a file.
struct QueryDraft {
    /// The name; `nil` if it has a mistake.
    private(set) var name: (String, SourceLocation)?
    var documentation: [Comment] = []
    var statements: [SourceText.Excerpt] = []

    private var cardinality: Cardinality?
    private var row: (String, SourceLocation)?
    private var noScan: SourceLocation?
    private var types: [Identifier: TypeDeclaration] = [:]

    /// Adds a declaration, and returns what is wrong with it.
    mutating func add(_ declaration: CommentDeclaration, at location: SourceLocation) -> String? {
        switch declaration {
        case .name(let name, let cardinality):
            self.name = (name, location)
            self.cardinality = cardinality
        case .row(let type):
            if let (_, other) = row { return Self.twice("the row type", other) }
            row = (type, location)
        case .noScan:
            if let other = noScan { return Self.twice("the plan", other) }
            noScan = location
        case .type(let table?, let key, let type):
            return "a query declares a column by its name in the result: write -- \(key): \(type.type.described), or "
                + "-- \"\(table).\(key)\": \(type.type.described) for a name with a dot"
        case .type(nil, let key, let type):
            if let other = types[Identifier(key)] { return Self.twice("the type of '\(key)'", other.location) }
            types[Identifier(key)] = type
        case .function, .collation, .invalid: break
        }
        return nil
    }

    private static func twice(_ subject: String, _ location: SourceLocation) -> String {
        "\(subject) is declared twice, first at \(location)"
    }

    /// Returns the query.
    func declaration(_ name: String, _ location: SourceLocation, _ source: SourceText) -> QueryDeclaration {
        QueryDeclaration(
            name: name, location: location, cardinality: cardinality, row: row?.0, documentation: lines, types: types,
            noScan: noScan, statements: statements, source: source)
    }

    /// The documentation without empty lines at its ends.
    private var lines: [String] {
        var lines = documentation.map(\.documentation)[...]
        while lines.first?.isEmpty == true { lines.removeFirst() }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return Array(lines)
    }
}
