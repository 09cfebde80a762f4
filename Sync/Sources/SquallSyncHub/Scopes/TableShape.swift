import Squall
import SquallBase
import SquallChanges

/// The columns of a table as they are now.
struct TableShape: Sendable {
    let name: String
    let columns: [(name: String, affinity: String, isKey: Bool)]

    init(_ name: String, on connection: Connection) throws {
        self.name = name
        var columns: [(String, String, Bool)] = []
        let isStrict: Bool =
            try connection.query(
                "SELECT strict FROM pragma_table_list WHERE schema = 'main' AND name = \(name) COLLATE NOCASE") ?? false
        try connection.forEach(
            "SELECT name, type, pk > 0 FROM pragma_table_xinfo(\(name), 'main') WHERE hidden = 0 ORDER BY cid"
        ) { columns.append((try $0.get(0), Self.affinity(try $0.get(1), isStrict: isStrict), try $0.get(2))) }
        self.columns = columns
    }

    /// Returns a type with the affinity of a declared type, which may be any text.
    private static func affinity(_ type: String, isStrict: Bool) -> String {
        let type = type.uppercased()
        func has(_ parts: String...) -> Bool { parts.contains { type.contains($0) } }
        if isStrict, type == "ANY" { return "" }
        if has("INT") { return "INTEGER" }
        if has("CHAR", "CLOB", "TEXT") { return "TEXT" }
        if type.isEmpty || has("BLOB") { return "" }
        return has("REAL", "FLOA", "DOUB") ? "REAL" : "NUMERIC"
    }

    /// The name of the column that has the position of a row, and that of the parameter of a set of rows.
    var position: String { free("_scoped_position") }
    var set: String { free("_scoped_set") }

    /// Returns a name that no column has.
    private func free(_ name: String) -> String {
        let names = Set(columns.map { Identifier($0.name) })
        var name = name
        while names.contains(Identifier(name)) { name += "_" }
        return name
    }

    var identifier: Identifier { Identifier(name) }
    /// The condition that a part of the key is NULL: the log has no changes of such a row.
    var hasNullKey: SQL {
        columns.filter(\.isKey).map { "\(name: $0.name) IS NULL" as SQL }.joined(separator: " OR ")
    }
    var isKey: [Bool] { columns.map(\.isKey) }
    /// The names in SQL, with commas.
    var columnList: SQL { columns.map { "\(name: $0.name)" as SQL }.joined(separator: ", ") }
    var keyList: SQL { columns.filter(\.isKey).map { "\(name: $0.name)" as SQL }.joined(separator: ", ") }

    func key(of row: [BindingValue]) -> [BindingValue] { zip(row, isKey).filter(\.1).map(\.0) }

    func change(_ old: [BindingValue]?, _ new: [BindingValue]?) -> SyncChange {
        SyncChange(table: name, columnNames: columns.map(\.name), isKey: isKey, old: old, new: new)
    }

    /// A common table expression with the name of the table and without rows.
    var emptyTable: SQL {
        let nulls = columns.map { _ in "NULL" as SQL }.joined(separator: ", ")
        return "\(name: name)(\(columnList)) AS (SELECT \(nulls) WHERE 0)"
    }
}
