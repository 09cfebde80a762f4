import Squall

/// The queries of several files.
struct QueryFiles {
    private(set) var queries: [QueryDeclaration] = []
    private(set) var functions: [FunctionDeclaration] = []
    /// The names of the collations that the app registers.
    private(set) var collations: [String] = []
    private(set) var diagnostics: [Diagnostic] = []

    private var names = FirstPlaces<String>()
    private var swiftNames = FirstPlaces<String>()
    private var functionKeys = FirstPlaces<FunctionKey>()
    private var collationNames = FirstPlaces<Identifier>()

    /// SQLite tells functions apart by their names and the numbers of their arguments.
    private struct FunctionKey: Hashable {
        let name: Identifier
        let count: Int?
    }

    init(_ sources: [SourceText]) {
        for source in sources { add(QueryFile(source)) }
    }

    private mutating func report(_ message: String, at location: SourceLocation) {
        diagnostics.append(Diagnostic(.error, message, at: location))
    }

    private mutating func add(_ file: QueryFile) {
        diagnostics += file.diagnostics
        for query in file.queries { add(query) }
        for function in file.functions {
            let key = FunctionKey(name: function.name, count: function.arguments?.count)
            if let other = functionKeys.note(key, at: function.location) {
                report("the function '\(function.name)' is declared twice, first at \(other)", at: function.location)
            } else {
                functions.append(function)
            }
        }
        for collation in file.collations {
            if let other = collationNames.note(Identifier(collation.name), at: collation.location) {
                report("the collation '\(collation.name)' is declared twice, first at \(other)", at: collation.location)
            } else {
                collations.append(collation.name)
            }
        }
    }

    private mutating func add(_ query: QueryDeclaration) {
        let swiftName = SwiftName.property(query.name, keepingEmoji: true, orElse: "query")
        let other = swiftNames.note(swiftName, at: query.location)
        if let same = names.note(query.name, at: query.location) {
            report("there is a query '\(query.name)' already, at \(same): choose another name", at: query.location)
        } else if let other {
            report(
                "the query '\(query.name)' has the Swift name '\(swiftName)' of the query at \(other): "
                    + "choose another name",
                at: query.location)
        } else {
            queries.append(query)
        }
    }
}

/// The place of the first use of each name.
private struct FirstPlaces<Key: Hashable> {
    private var places: [Key: SourceLocation] = [:]

    /// Notes a place, and returns that of the first equal name; `nil` for a new one.
    mutating func note(_ key: Key, at location: SourceLocation) -> SourceLocation? {
        if let first = places[key] { return first }
        places[key] = location
        return nil
    }
}
