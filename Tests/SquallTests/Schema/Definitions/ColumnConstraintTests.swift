import Foundation
import Testing

@testable import Squall

/// Every kind of constraint prints, is read back, and can be dropped; a kind that is added makes `example` not compile.
@Suite struct ColumnConstraintTests {
    typealias Key = ColumnDefinition.Constraint.Key

    private func example(_ key: Key) -> (constraint: ColumnDefinition.Constraint, sql: String) {
        switch key {
        case .primaryKey: (.primaryKey(.init(order: .descending)), "PRIMARY KEY DESC")
        case .notNull: (.notNull(.init(conflict: .replace)), "NOT NULL ON CONFLICT REPLACE")
        case .unique: (.unique(.init(conflict: .ignore)), "UNIQUE ON CONFLICT IGNORE")
        case .defaultValue: (.defaultValue("7"), "DEFAULT 7")
        case .check: (.check(.init(name: "young", condition: "b < 9")), "CONSTRAINT \"young\" CHECK (b < 9)")
        case .collation: (.collation("NOCASE"), "COLLATE \"NOCASE\"")
        case .references:
            (
                .references(ForeignKeyReference(table: "t", columns: ["a"], onDelete: .cascade)),
                "REFERENCES \"t\"(\"a\") ON DELETE CASCADE"
            )
        case .generated: (.generated(.init(expression: "a + 1")), "GENERATED ALWAYS AS (a + 1) VIRTUAL")
        }
    }

    private func column(with key: Key) -> ColumnDefinition {
        var column = ColumnDefinition(name: "b", type: "INT")
        column.add(example(key).constraint)
        return column
    }

    private func table(with column: ColumnDefinition) -> TableDefinition {
        TableDefinition(name: "t", columns: [ColumnDefinition(name: "a"), column])
    }

    @Test(arguments: Key.allCases)
    func `a constraint is printed, and read back from the file as it was`(_ key: Key) throws {
        let column = column(with: key)
        #expect(column.sql.text == "\"b\" INT \(example(key).sql)")
        #expect(column.constraints == [example(key).constraint])

        let connection = try Connection()
        try connection.run(table(with: column).sql)
        let found = try #require(try connection.tableInfo("t"))
        #expect(found == table(with: column))
        #expect(table(with: column).changes(to: found).isEmpty)
        #expect(table(with: column).changes(to: table(with: ColumnDefinition(name: "b", type: "INT"))).count == 1)
    }

    @Test(arguments: Key.allCases)
    func `a constraint is dropped, by its option or with the type`(_ key: Key) throws {
        let connection = try Connection()
        try connection.run(table(with: column(with: key)).sql)
        let change =
            key.dropping.map { ChangeColumn("b", dropping: $0) } ?? ChangeColumn("b", to: Int?.self, dropping: .all)
        try Schema("test") { Version(1) { AlterTable("t") { change } } }.migrate(connection)
        let found = try #require(try connection.tableInfo("t")?.columns.last)
        #expect(found.constraints.isEmpty)
    }

    @Test(arguments: Key.allCases)
    func `a column with the constraint is added and dropped, by ALTER TABLE or by a rebuild`(
        _ key: Key
    ) throws {
        let connection = try Connection()
        try connection.run("CREATE TABLE t(a)")
        let clauses = SQL(raw: "INT \(example(key).sql)")
        try Schema("test") {
            Version(1) { AlterTable("t") { AddColumn("b", sql: clauses) } }
        }.migrate(connection)
        #expect(try connection.tableInfo("t")?.columns.last == column(with: key))
        try Schema("test") {
            Version(1) { AlterTable("t") { AddColumn("b", sql: clauses) } }
            Version(2) { AlterTable("t") { DropColumn("b") } }
        }.migrate(connection)
        #expect(try connection.tableInfo("t")?.columns.map(\.name) == ["a"])
    }

    /// With foreign keys on, SQLite adds a column that refers to a table only without a default.
    @Test func `a column that refers to a table can be added without a rebuild unless it has a default`() {
        var column = column(with: .references)
        #expect(column.canBeAdded)
        column.add(.defaultValue("7"))
        #expect(!column.canBeAdded)
    }

    @Test func `each option drops one kind, and all of them together all`() {
        let options = Key.allCases.compactMap(\.dropping)
        #expect(Set(options).count == options.count)
        #expect(DroppedConstraints.all.rawValue == 127)
    }

    @Test(arguments: Key.allCases)
    func `a column is decoded as it was encoded`(_ key: Key) throws {
        let column = column(with: key)
        let data = try JSONEncoder().encode(column)
        #expect(try JSONDecoder().decode(ColumnDefinition.self, from: data) == column)
    }

    @Test func `a column has the type that is declared for it`() throws {
        struct Shop: TableRecord {
            let id: Int64?
            let name: String
            let isOpen: Bool
            let turnover: Double?

            static let table = Table("shops", Shop.init) {
                Column("id", \Shop.id, .primaryKey)
                Column("name", \Shop.name, .type("VARCHAR(40)"))
                Column("is_open", \Shop.isOpen, .default(true), .type("BOOLEAN"))
                Column("turnover", \Shop.turnover, .type("DECIMAL(10, 2)"))
            }
        }
        let sql = """
            CREATE TABLE "shops"("id" INTEGER PRIMARY KEY, "name" VARCHAR(40) NOT NULL, \
            "is_open" BOOLEAN NOT NULL DEFAULT 1, "turnover" DECIMAL(10, 2))
            """
        #expect(Shop.table.createSQL.text == sql)
        let connection = try Connection(storageLocation: .inMemory)
        try connection.execute(
            "CREATE TABLE shops(id INTEGER PRIMARY KEY, name varchar (40) NOT NULL, is_open BOOLEAN NOT NULL DEFAULT (1), "
                + "turnover DECIMAL(10,2))")
        #expect(try connection.plan(toMatch: Shop.table).isEmpty)
        let id = try connection.insert(Shop(id: nil, name: "A", isOpen: false, turnover: 3))
        let shop = try #require(try connection.find(Shop.self, id))
        #expect(shop.name == "A" && !shop.isOpen && shop.turnover == 3)
    }

    @Test func `a required column may replace NULL by its default`() throws {
        struct Note { let text: String }
        let notes = Table("notes", Note.init) {
            Column("text", \Note.text, .notNull(onConflict: .replace), .default("none"))
        }
        let connection = try Connection()
        try connection.create(notes)
        #expect(
            try connection.query("SELECT sql FROM sqlite_schema")
                == #"CREATE TABLE "notes"("text" TEXT NOT NULL ON CONFLICT REPLACE DEFAULT 'none')"#)
        try connection.run("INSERT INTO notes VALUES(NULL)")
        #expect(try connection.query("SELECT text FROM notes") == "none")
    }
}
