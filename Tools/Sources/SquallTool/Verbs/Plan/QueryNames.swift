import Squall
import SquallBase

/// The tables that SQL uses, with their aliases and those of their columns that could be in an index. They are found by the
/// words of the SQL, since SQLite does not report them.
struct QueryNames {
    /// A column as an index could have it.
    struct Column: Equatable {
        let name: String
        /// The collation by which the SQL compares or sorts the column; `nil` for its own.
        var collation: String?
        var isDescending = false

        static func == (left: Self, right: Self) -> Bool {
            left.name.isSameName(as: right.name) && left.isDescending == right.isDescending
                && left.collation.map { Identifier($0) } == right.collation.map { Identifier($0) }
        }
    }

    /// The names by which a plan calls the tables.
    private(set) var aliases: [Identifier: String] = [:]
    private let tokens: [Token]
    private let entries: [SchemaEntry]

    init(of sql: String, in entries: [SchemaEntry]) {
        self.entries = entries
        var all = SQLTokenizer.tokens(of: sql)
        // A plan shows the tables of a view and not the view. Views can use views.
        var views: Set<Identifier> = []
        var position = 0
        while position < all.count {
            let name = Identifier(all[position].text)
            let view = entries.first { $0.kind == .view && all[position].canBeName && Identifier($0.name) == name }
            if let view, views.insert(name).inserted { all += SQLTokenizer.tokens(of: view.sql) }
            position += 1
        }
        tokens = all
        let tables = Dictionary(
            entries.filter { $0.kind == .table }.map { (Identifier($0.name), $0.name) }
        ) { first, _ in first }
        for (index, token) in all.enumerated() where token.canBeName {
            guard let table = tables[Identifier(token.text)] else { continue }
            aliases[Identifier(table)] = table
            let next = all[(index + 1)...].prefix(2)
            let hasAS = next.first?.is("AS") == true
            guard let alias = hasAS ? next.dropFirst().first : next.first,
                hasAS ? alias.canBeName : alias.canBeAlias, tables[Identifier(alias.text)] == nil
            else { continue }
            aliases[Identifier(alias.text)] = table
        }
    }

    /// The names that a plan may have for tables.
    var names: Set<Identifier> { Set(aliases.keys) }

    /// The tables, in the order of their names.
    var tables: [String] {
        Dictionary(aliases.values.map { (Identifier($0), $0) }) { first, _ in first }.values.sorted()
    }

    /// Returns the columns of a table that the SQL names after `WHERE`, `ON` or `USING`, or sorts or groups by, in their order.
    func columns(of table: String, in connection: Connection) throws -> [Column] {
        let own = try connection.columnListings(of: table, in: nil).filter { !$0.isHidden }.map(\.name)
        let known = Dictionary(own.map { (Identifier($0), $0) }) { first, _ in first }
        var columns: [Column] = []
        var isClause = false
        for (index, token) in tokens.enumerated() {
            if ["WHERE", "ON", "USING", "BY", "HAVING"].contains(where: token.is) { isClause = true }
            if ["SELECT", "FROM", "SET", "VALUES", "LIMIT"].contains(where: token.is) { isClause = false }
            guard isClause, token.canBeName, let name = known[Identifier(token.text)] else { continue }
            for column in variants(of: name, at: index) where !columns.contains(column) { columns.append(column) }
        }
        return columns
    }

    /// Returns a column as the SQL uses it: by its own order, and by a collation or a direction that follows it.
    private func variants(of name: String, at index: Int) -> [Column] {
        var rest = tokens[(index + 1)...]
        var column = Column(name: name)
        var variants = [column]
        if rest.first?.is("COLLATE") == true, let collation = rest.dropFirst().first {
            column.collation = collation.text
            variants = [column]
            rest = rest.dropFirst(2)
        }
        if rest.first?.is("DESC") == true {
            column.isDescending = true
            variants.append(column)
        }
        if rest.first?.is("LIKE") == true {
            column.collation = "NOCASE"
            variants.append(column)
        }
        return variants
    }
}
