import Squall
import SquallChanges

/// The form of the tables of a network, of which each side has its own.
struct NetworkForm {
    /// What the foreign key of the cards does.
    enum Action: String, CaseIterable {
        case none = ""
        case cascade = "ON DELETE CASCADE ON UPDATE CASCADE"
        case setNull = "ON DELETE SET NULL"
        case restrict = "ON DELETE RESTRICT"
        case deferred = "DEFERRABLE INITIALLY DEFERRED"
    }

    /// What only one side has.
    struct Side {
        /// The number of columns that are newer than the others.
        var width: Int
        /// The defaults of these columns, as SQL.
        var defaults: [String]
        /// The options of the tables, such as STRICT.
        let options: String
        /// Whether the side has indexes, and other defaults of the first columns.
        let isIndexed: Bool
        /// Whether the marks of the owners are unique at this side alone.
        var hasUniqueMarks: Bool
    }

    let hasTextKey: Bool
    let isUnique: Bool
    let action: Action
    /// Whether the sides differ in their columns.
    let areWide: Bool
    var sides: [Side]

    init(sideCount: Int, _ dice: inout Dice) {
        hasTextKey = dice.once(in: 3)
        isUnique = !dice.once(in: 3)
        action = dice.choice(of: Action.allCases)
        let areWide = dice.once(in: 2)
        self.areWide = areWide
        sides = (0..<sideCount).map { _ in
            Side(
                width: areWide ? dice.number(below: Self.newColumns.count + 1) : 0,
                defaults: [dice.choice(of: ["'new'", "NULL", "''"]), dice.choice(of: ["0", "7", "NULL"])],
                options: dice.choice(of: ["", "", " STRICT", " WITHOUT ROWID"]), isIndexed: dice.once(in: 3),
                hasUniqueMarks: dice.once(in: 5))
        }
    }

    /// The columns that some sides have at the end.
    static let newColumns = [(name: "label", type: "TEXT"), (name: "rating", type: "INTEGER")]

    /// The first columns of the tables, which each side has.
    static let columns = ["owners": ["id", "name", "mark", "stamp"], "cards": ["id", "owner", "text", "stamp"]]

    /// Returns a key as SQL.
    func key(_ number: Int) -> String { hasTextKey ? "'k\(number)'" : "\(number)" }

    /// The statements that create the tables of a side.
    func definition(of index: Int) -> [String] {
        let (side, type) = (sides[index], hasTextKey ? "TEXT" : "INTEGER")
        let news = (0..<side.width).map { ", \(newColumn($0, of: index))" }.joined()
        let mark = (side.isIndexed ? " DEFAULT 3" : "") + (side.hasUniqueMarks ? " UNIQUE" : "")
        let statements = [
            """
            CREATE TABLE owners(id \(type) NOT NULL PRIMARY KEY, name TEXT\(isUnique ? " UNIQUE" : ""), \
            mark INTEGER\(mark), stamp INTEGER NOT NULL\(news))\(side.options)
            """,
            """
            CREATE TABLE cards(id \(type) NOT NULL PRIMARY KEY, owner \(type) REFERENCES owners(id) \(action.rawValue), \
            text TEXT, stamp INTEGER NOT NULL\(news))\(side.options)
            """,
        ]
        return statements
            + (side.isIndexed ? ["CREATE INDEX marks ON owners(mark, name)", "CREATE INDEX texts ON cards(text)"] : [])
    }

    /// Returns the definition of a new column.
    private func newColumn(_ column: Int, of index: Int) -> String {
        let (name, type) = Self.newColumns[column]
        return "\(name) \(type) DEFAULT \(sides[index].defaults[column])"
    }

    /// The statements that give a side its next new column.
    func widening(of index: Int) -> [String] {
        let column = newColumn(sides[index].width, of: index)
        return ["owners", "cards"].map { "ALTER TABLE \($0) ADD COLUMN \(column)" }
    }

    /// The columns of a table of a side.
    func columns(of table: String, at index: Int) -> [String] {
        (Self.columns[table] ?? []) + Self.newColumns.prefix(sides[index].width).map(\.name)
    }

    /// Returns a row as a side has it: the columns that its writer did not have get their defaults.
    func padded(_ row: [String], at index: Int) -> [String] {
        let surplus = 4 + sides[index].width - row.count
        if surplus <= 0 { return row }
        return row + sides[index].defaults.prefix(sides[index].width).suffix(surplus)
    }
}

/// The key of a row in a table of a network, with its SQL.
struct NetworkKey: Hashable, CustomStringConvertible {
    let table: String
    let id: String

    var description: String { "\(table) \(id)" }
}

/// The rows of a side, with their values as SQL.
typealias NetworkRows = [NetworkKey: [String]]
