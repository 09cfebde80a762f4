import Squall

/// The tables, views and columns that schema files renamed or dropped, for hints about names that are missing.
struct SchemaChangeLog: Sendable {
    /// A file of the history.
    struct Version: Hashable, Sendable {
        let number: Int
        let file: String

        var description: String { "version \(number) (\(file))" }
    }

    private struct Entry: Sendable {
        let version: Version
        let table: Identifier
        /// The column; `nil` for the table itself.
        let column: Identifier?
        /// The new name; `nil` for something that was dropped.
        let newName: Identifier?

        /// - Parameter subject: The name of what has changed; `it` where it is certain.
        func hint(for subject: String) -> String {
            let change = newName.map { "renamed \(subject) to \($0)" } ?? "dropped \(subject)"
            return "\(version.description) \(change)"
        }
    }

    private var entries: [Entry] = []

    /// Notes that a version renamed or dropped a table, a view or a column of one.
    ///
    /// - Parameters:
    ///   - column: The column; `nil` for the table itself.
    ///   - newName: The new name; `nil` for something that was dropped.
    mutating func add(_ version: Version, table: Identifier, column: Identifier? = nil, newName: Identifier? = nil) {
        entries.append(Entry(version: version, table: table, column: column, newName: newName))
    }

    /// Removes what was noted about a table that exists again, after a rebuild for instance.
    mutating func remove(table: Identifier) {
        entries.removeAll { $0.table == table && $0.column == nil }
    }

    /// Returns what happened to a name that SQLite reports as missing: `version 2 (002_prices.sql) renamed it to price`.
    ///
    /// - Parameter name: The name as SQLite reports it: `cost`, `c.cost`, `cars.cost`, `main.cars`. Where the table is
    ///   not certain, the hint names it: `version 2 (002_prices.sql) renamed cars.cost to price`.
    func hint(forMissing name: String) -> String? {
        let parts = name.split(separator: ".").map(Identifier.init)
        guard let last = parts.last else { return nil }
        let table = parts.dropLast().last
        let columns = entries.filter { $0.column == last }
        if let entry = columns.last(where: { $0.table == table }) { return entry.hint(for: "it") }
        if let entry = columns.last { return entry.hint(for: "\(entry.table).\(last)") }
        return entries.last { $0.column == nil && $0.table == last }?.hint(for: "it")
    }
}
