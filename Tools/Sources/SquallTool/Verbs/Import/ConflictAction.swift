import Squall

/// The action for a row whose key the table has already.
enum ConflictAction {
    case fail, ignore, replace, upsert

    /// The reason why rows are not in the table, as the result of an import says it.
    var omission: String {
        switch self {
        case .ignore: "ignored"
        case .upsert: "left out: they exist already, or by a rule of the table"
        case .fail, .replace: "left out by a rule of the table"
        }
    }

    /// Returns the statement that inserts a row with values for some columns.
    func insertion(into table: ImportTable, columns: [String]) -> SQL {
        let verb: SQL =
            switch self {
            case .fail, .upsert: "INSERT"
            case .ignore: "INSERT OR IGNORE"
            case .replace: "INSERT OR REPLACE"
            }
        guard !columns.isEmpty else { return "\(verb) INTO \(name: table.name) DEFAULT VALUES" }
        let names = columns.map { "\(name: $0)" as SQL }.joined(separator: ", ")
        let places = Array(repeating: "?" as SQL, count: columns.count).joined(separator: ", ")
        let statement: SQL = "\(verb) INTO \(name: table.name)(\(names)) VALUES(\(places))"
        return self == .upsert ? statement + update(table, columns) : statement
    }

    private func update(_ table: ImportTable, _ columns: [String]) -> SQL {
        let key = Set(table.primaryKey.map(Identifier.init))
        let changes = columns.filter { !key.contains(Identifier($0)) }
            .map { "\(name: $0) = excluded.\(name: $0)" as SQL }
        let target = table.primaryKey.map { "\(name: $0)" as SQL }.joined(separator: ", ")
        if changes.isEmpty { return " ON CONFLICT(\(target)) DO NOTHING" }
        return " ON CONFLICT(\(target)) DO UPDATE SET \(changes.joined(separator: ", "))"
    }
}
