/// What the files of the history have renamed and dropped.
struct SchemaChangeLog: Sendable {
    private var tables: [Name: String] = [:]
    private var columns: [Name: String] = [:]

    /// Notes a change.
    ///
    /// - Parameter version: The file in which it was made: `version 2 (002_prices.sql)`.
    mutating func note(_ alteration: Alteration, in version: String) {
        switch alteration {
        case .renameTable(let old, let new): tables[old] = "\(version) renamed it to \(new)"
        case .renameColumn(let old, let new, let table): columns[old] = "\(version) renamed \(table).\(old) to \(new)"
        case .dropColumn(let column, let table): columns[column] = "\(version) dropped \(table).\(column)"
        case .dropTable(let table): tables[table] = "\(version) dropped it"
        }
    }

    /// Returns what happened to a name that SQLite does not find: `cost`, `c.cost`, `main.cars`.
    func hint(forMissing name: String) -> String? {
        let last = Name(name.split(separator: ".").last ?? "")
        return columns[last] ?? tables[last]
    }
}
