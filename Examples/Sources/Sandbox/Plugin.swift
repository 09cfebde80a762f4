import Foundation
import Squall

/// A value as a table on a screen shows it. The function `cell` takes any value of SQLite, also NULL.
struct Cell: ColumnReadable {
    let text: String

    /// Several classes: a column of this type would be declared without one.
    static var storageClass: Row.Column.DataType? { nil }

    static func fromSQLiteValue(_ value: SQLiteValue) -> Cell? {
        if value.isNull { return Cell(text: "–") }
        switch value.dataType {
        case .blob: return Cell(text: "\(value.withBytes { $0.byteCount } ?? 0) bytes")
        case .text: return Cell(text: "\"\(value.text ?? "not UTF-8")\"")
        default: return value.any.map { Cell(text: "\($0)") }
        }
    }
}

/// Functions, a collation and a table that a program adds for a while.
struct Plugin {
    let connection: Connection

    func add() throws {
        try connection.addFunction("cell") { (value: Cell) in value.text }
        try connection.addCollation("backwards") { (lhs: String, rhs: String) in
            rhs < lhs ? .orderedAscending : lhs < rhs ? .orderedDescending : .orderedSame
        }
        try connection.addTableFunction("countdown", columns: "n") { (start: Int) in
            (1...start).reversed()
        }
    }

    func remove() throws {
        try connection.removeFunction(named: "cell", argumentCount: 1)
        try connection.removeCollation(named: "backwards")
        try connection.removeModule(named: "countdown")
    }
}

func usePlugin() throws {
    let connection = try Connection("shop.db")
    let statements: [SQL] = [
        "SELECT group_concat(cell(value), ' ') FROM (SELECT 1 AS value UNION ALL SELECT 2.5 UNION ALL VALUES('three'), (x'0404'), (NULL))",
        "SELECT name FROM customers ORDER BY name COLLATE backwards LIMIT 1",
        "SELECT group_concat(n) FROM countdown(3)",
    ]
    func run(_ title: String) {
        print("\(title):")
        for statement in statements {
            do {
                let text: String = try connection.query(statement)
                print("  \(text)")
            } catch let error as SQLiteError {
                print("  \(error.message)")
            } catch {
                print("  \(error)")
            }
        }
    }
    let plugin = Plugin(connection: connection)
    try plugin.add()
    run("With the plugin")
    try plugin.remove()
    run("Without it")
}
