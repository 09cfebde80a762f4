import Squall

@testable import SquallSQLFiles

/// The schema of the tests of types and nullability.
enum MatrixSchema {
    static let sql: SQL = """
        CREATE TABLE a(id INTEGER PRIMARY KEY, n INTEGER NOT NULL, m INTEGER, t TEXT NOT NULL, u TEXT, r REAL NOT NULL,
            s REAL, f BOOLEAN NOT NULL, g BOOLEAN, b BLOB NOT NULL, x);
        CREATE TABLE b(id INTEGER PRIMARY KEY, aID INTEGER REFERENCES a(id), n INTEGER NOT NULL, k INTEGER, t TEXT NOT NULL,
            w TEXT);
        CREATE TABLE c(code TEXT PRIMARY KEY, n INTEGER NOT NULL, o INTEGER) WITHOUT ROWID;
        CREATE TABLE d(code TEXT PRIMARY KEY, n INTEGER NOT NULL, o INTEGER) STRICT;
        CREATE VIEW av AS SELECT id, n, m, t AS title, n + 1 AS next, n / m AS share FROM a;
        CREATE TRIGGER avInsert INSTEAD OF INSERT ON av BEGIN SELECT 1; END;
        CREATE VIEW ab(aid, an, bid, bn) AS SELECT a.id, a.n, b.id, b.n FROM a LEFT JOIN b ON b.aID = a.id;
        CREATE VIEW abv AS SELECT ab.*, av.title FROM ab JOIN av ON av.id = ab.aid
        """

    static func connection() throws -> Connection {
        let connection = try Connection()
        try connection.execute(sql)
        return connection
    }

    /// Returns the types of the columns of a query, and those of its parameters: `Int, String?; :x Int`.
    static func types(of sql: String, _ compiler: StatementCompiler) throws -> String {
        let source = SourceText(path: "t.sql", text: sql)
        let statement = try compiler.compile(SourceText.Excerpt(text: sql, offset: 0), in: source, declared: [:])
        if statement.syntax == nil { return "not read" }
        let values = statement.columnNames.indices.map { index -> String in
            guard statement.results.indices.contains(index) else { return "not analysed" }
            return described(statement.results[index].value)
        }
        let uses = Dictionary(grouping: statement.uses, by: \.parameter).sorted { $0.key < $1.key }
        let parameters = uses.map { name, uses -> String in
            let types = Set(uses.compactMap(\.type).map(\.name)).sorted()
            let isOptional = uses.contains(where: \.allowsNull) && !uses.contains(where: \.refusesNull)
            return "\(name) \(types.isEmpty ? "_" : types.joined(separator: "|"))\(isOptional ? "?" : "")"
        }
        return values.joined(separator: ", ") + (parameters.isEmpty ? "" : "; \(parameters.joined(separator: ", "))")
    }

    private static func described(_ value: Inference) -> String {
        (value.type?.name ?? "_") + (value.isNullable ? "?" : "")
    }
}
