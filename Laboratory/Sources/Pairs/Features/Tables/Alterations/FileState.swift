import Squall

/// The objects and the rows of a file, as an alteration must leave them.
struct FileState {
    /// An object of the schema.
    struct Object: Hashable {
        let type: String
        let name: String
        let table: String
        let sql: String
    }

    private let objects: [Object]
    /// The rows of each table as one text.
    private let rows: [String: String]
    /// The rowids of tables that have them beside their key.
    private let rowIDs: [String: String]
    let violations: [String]
    private let columnsWithNull: Set<String>

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - table: The table whose columns are looked at.
    ///   - renamed: The new names, which are read as those of before.
    init(
        _ connection: Connection, _ table: String, renamed: [(new: String, old: String)] = [],
        without prefixes: [String] = []
    ) throws {
        func former(_ name: String) -> String { renamed.first { $0.new == name }?.old ?? name }
        var objects: [Object] = []
        var tables: [String] = []
        try connection.forEach(
            """
            SELECT type, name, tbl_name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL
            AND name NOT LIKE 'sqlite@_%' ESCAPE '@' AND name NOT LIKE 'squall@_%' ESCAPE '@' ORDER BY rowid
            """
        ) { row in
            let (type, name, sql): (String, String, String) = (try row.get(0), try row.get(1), try row.get(3))
            if prefixes.contains(where: name.hasPrefix) { return }
            if type == "table" { tables.append(name) }
            objects.append(Object(type: type, name: former(name), table: former(try row.get(2)), sql: sql))
        }
        self.objects = objects
        let kinds: [String: String] = try connection.query(
            "SELECT name, type || wr FROM pragma_table_list WHERE schema = 'main'"
        ) { (try $0.get(0), try $0.get(1)) }
        var (rows, rowIDs, nulls) = ([String: String](), [String: String](), Set<String>())
        for name in tables {
            guard let kind = kinds[name], kind.hasPrefix("table") else { continue }
            let columns: [String] = try connection.query("SELECT name FROM pragma_table_xinfo(\(name))")
                .filter { column in !prefixes.contains(where: column.hasPrefix) }
            let values = columns.map { "quote(\(("\(name: $0)" as SQL).text))" }.joined(separator: " || ',' || ")
            rows[former(name)] = try connection.query(
                """
                SELECT ifnull(group_concat(v, char(10)), '')
                FROM (SELECT \(raw: values) AS v FROM main.\(name: name) ORDER BY 1)
                """)
            if kind.hasSuffix("0") {
                rowIDs[former(name)] = try connection.query(
                    """
                    SELECT ifnull(group_concat(v, char(10)), '')
                    FROM (SELECT rowid || ' ' || \(raw: values) AS v FROM main.\(name: name) ORDER BY rowid)
                    """)
            }
            guard former(name) == table else { continue }
            for column in columns {
                let hasNull: Bool = try connection.query(
                    "SELECT EXISTS(SELECT 1 FROM main.\(name: name) WHERE \(name: column) IS NULL)")
                if hasNull { nulls.insert(column) }
            }
        }
        (self.rows, self.rowIDs, columnsWithNull) = (rows, rowIDs, nulls)
        violations = try connection.query("SELECT \"table\" FROM pragma_foreign_key_check")
    }

    func hasNull(_ column: String) -> Bool { columnsWithNull.contains(column) }

    /// The indexes and views of the program.
    var indexes: [String] { objects.filter { $0.type == "index" }.map(\.name) }
    var views: [String] { objects.filter { $0.type == "view" }.map(\.name) }
    var newestTrigger: String? { objects.last { $0.type == "trigger" }?.name }

    func sql(of name: String) -> String { objects.first { $0.name == name }?.sql ?? "" }

    /// The statements that create the indexes and triggers of a table or a view, in their order.
    func objects(on table: String) -> [String] {
        objects.filter { $0.table == table && ($0.type == "index" || $0.type == "trigger") }.map(\.sql)
    }

    /// Requires that another state has the same objects and rows.
    ///
    /// - Parameters:
    ///   - altered: The table whose own definition may differ; `nil` for none.
    ///   - renamed: The new names in the SQL of the other state.
    func require(
        _ other: FileState, altered: String?, renamed: [(new: String, old: String)], hasRowIDs: Bool, _ subject: String
    ) throws {
        func texts(_ state: FileState, _ names: [(new: String, old: String)]) -> [String] {
            state.objects.filter { $0.name != altered }.map { object in
                "\(object.type) \(object.name) of \(object.table): \(Self.normalized(object.sql, names))"
            }.sorted()
        }
        try Pairs.require(texts(other, renamed), equals: texts(self, []), "objects \(subject)")
        try Pairs.require(other.rows.keys.sorted(), equals: rows.keys.sorted(), "tables \(subject)")
        for (name, text) in rows {
            try Pairs.require(
                other.rows[name] == text, "rows of \(name) \(subject): \(other.rows[name] ?? "-"), not \(text)")
        }
        if hasRowIDs { try Pairs.require(other.rowIDs == rowIDs, "rowids \(subject)") }
        try Pairs.require(other.violations == violations, "foreign_key_check \(subject): \(other.violations)")
    }

    /// Returns SQL without white space, quotes and the case of letters, and with the names of before.
    static func normalized(_ sql: String, _ names: [(new: String, old: String)]) -> String {
        var text = sql
        for (new, old) in names { text = text.replacing(new, with: old) }
        return text.lowercased().filter { !$0.isWhitespace && !"\"`[]".contains($0) }
    }
}
