import Squall
import SquallTestSupport
import Testing

/// SQLiteORM's rules, and the weaknesses of its `syncSchema` that Squall has not.
struct PlanTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
    }

    struct User: TableRecord {
        let id: Int64?
        let name: String
        let age: Int?

        static let table = Table("users", User.init) {
            Column("id", \User.id, .primaryKey)
            Column("name", \User.name)
            Column("age", \User.age)
        }
    }

    struct Strict: TableRecord {
        let id: Int64?
        let name: String
        let age: Int

        static let table = Table("users", Strict.init) {
            Column("id", \Strict.id, .primaryKey)
            Column("name", \Strict.name)
            Column("age", \Strict.age)
        }
    }

    struct Point: Initializable {
        var x = 0
        var y = 0
        var label: String?
    }

    static let points = Table("points", Point.self) {
        Column("x", \Point.x, .primaryKey)
        Column("y", \Point.y, .primaryKey)
        Column("label", \Point.label)
    }

    private func sync(preserve: Bool = true) throws -> SyncOutcome? {
        try connection.sync([User.table.definition], preserve: preserve)["users"]
    }

    private func rows() throws -> [String] {
        try connection.query("SELECT * FROM users ORDER BY 1") { $0.valuesText }
    }

    @Test func newTableCreated() throws {
        #expect(try sync() == .newTableCreated)
        #expect(try sync() == .alreadyInSync)
        try connection.insert(User(id: nil, name: "a", age: nil))
    }

    @Test func inSyncHoweverItIsWritten() throws {
        try connection.execute(
            "create table Users (ID integer not null, [name] text NOT NULL, `age` INTEGER, primary key(id))")
        #expect(try sync() == .alreadyInSync)
    }

    @Test(arguments: [true, false]) func newColumnsAdded(preserve: Bool) throws {
        try connection.execute("CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
        try connection.execute("INSERT INTO users VALUES(1, 'a')")
        let plan = try connection.plan(toMatch: User.table)
        #expect(plan.description == "AlterTable(\"users\") {\n    AddColumn(\"age\", sql: \"INTEGER\")\n}")
        #expect(plan.losses.isEmpty)
        #expect(try plan.dryRun().map(\.text) == [#"ALTER TABLE main."users" ADD COLUMN "age" INTEGER"#])
        #expect(try sync(preserve: preserve) == .newColumnsAdded)
        #expect(try rows() == ["[1, 'a', NULL]"])
    }

    @Test(arguments: [true, false]) func oldColumnsRemoved(preserve: Bool) throws {
        try connection.execute("CREATE TABLE users(id INTEGER PRIMARY KEY, old, name TEXT NOT NULL, age INTEGER)")
        try connection.execute("INSERT INTO users VALUES(1, 'x', 'a', 2), (2, NULL, 'b', 3)")
        let plan = try connection.plan(toMatch: User.table)
        #expect(plan.losses == [.column(table: "users", column: "old", values: 1)])
        #expect(throws: SchemaError.losses(plan.losses)) { try plan.apply() }
        #expect(try sync(preserve: preserve) == .oldColumnsRemoved)
        #expect(try rows() == ["[1, 'a', 2]", "[2, 'b', 3]"])
    }

    @Test func newColumnsAddedAndOldColumnsRemoved() throws {
        try connection.execute("CREATE TABLE users(id INTEGER PRIMARY KEY, old, name TEXT NOT NULL)")
        try connection.execute("INSERT INTO users VALUES(1, 'x', 'a')")
        #expect(try sync() == .newColumnsAddedAndOldColumnsRemoved)
        #expect(try rows() == ["[1, 'a', NULL]"])
    }

    @Test func droppedAndRecreatedOnlyWhenAllowed() throws {
        try connection.execute("CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
        try connection.execute("INSERT INTO users VALUES(1, 'a')")
        let plan = try connection.plan(toMatch: Strict.table)
        #expect(plan.outcomes == ["users": .droppedAndRecreated])
        let error = try #require(throws: SchemaError.self) { try plan.apply(allowing: .columns) }
        guard case .obstacles(let reasons) = error else { return #expect(Bool(false), "\(error)") }
        #expect(reasons.count == 1 && reasons[0].contains("\"age\" is NOT NULL without a default"))
        #expect(try connection.count("users") == 1)
        #expect(try plan.apply(allowing: [.columns, .tables]) == ["users": .droppedAndRecreated])
        #expect(try connection.count("users") == 0)
        #expect(try connection.plan(toMatch: Strict.table).isEmpty)
    }

    @Test func o1NullabilityAndDefaultsDoNotCostTheRows() throws {
        try connection.execute(
            "CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT DEFAULT 'x', age INTEGER NOT NULL)")
        try connection.execute("INSERT INTO users VALUES(1, 'a', 5)")
        #expect(try sync() == .tableChanged)
        #expect(try rows() == ["[1, 'a', 5]"])
        try connection.execute("DROP TABLE users; CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT, age INTEGER)")
        try connection.execute("INSERT INTO users VALUES(1, NULL, 5)")
        #expect(throws: SchemaError.self) { try sync() }
        #expect(try rows() == ["[1, NULL, 5]"])
    }

    @Test func o2AllOrNothing() throws {
        try connection.execute(
            """
            CREATE TABLE points(x INTEGER, y INTEGER, old TEXT); INSERT INTO points VALUES(1, 1, 'a'), (1, 1, 'b');
            CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT NOT NULL)
            """
        )
        let before = try connection.schemaDefinition()
        let plan = try connection.plan(toMatch: User.table, Self.points)
        let error = try #require(throws: SchemaError.self) { try plan.apply(allowing: .columns) }
        #expect(
            error.description == """
                several rows of "points" have a value of "x", "y" in common, which is to be the PRIMARY KEY: change or delete \
                them first
                """
        )
        #expect(try connection.schemaDefinition() == before)
        #expect(try connection.count("points") == 2)
        #expect(try connection.hasForeignKeysOn())
    }

    @Test func o3IndexesTriggersAndChildrenStay() throws {
        try connection.execute(
            """
            CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT, age INTEGER, old);
            CREATE TABLE child(user INTEGER REFERENCES users(id) ON DELETE CASCADE);
            CREATE INDEX by_age ON users(age) WHERE age > 3;
            CREATE TRIGGER t AFTER INSERT ON users BEGIN INSERT INTO child VALUES(new.id); END;
            INSERT INTO users VALUES(1, 'a', 5, NULL)
            """
        )
        #expect(try sync() == .oldColumnsRemoved)
        #expect(try connection.count("child") == 1)
        let table = try #require(try connection.tableInfo("users"))
        #expect(table.indexes.map(\.name) == ["by_age"])
        #expect(table.triggers.map(\.name) == ["t"])
    }

    @Test func o4ATableOfTheTemporaryNameIsLeftAlone() throws {
        try connection.execute(
            """
            CREATE TABLE squall_new_users(a); INSERT INTO squall_new_users VALUES(1);
            CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT, age INTEGER)
            """
        )
        #expect(try sync() == .tableChanged)
        #expect(try connection.count("squall_new_users") == 1)
    }

    @Test func o5CompositeKeys() throws {
        #expect(try connection.sync([Self.points.definition]) == ["points": .newTableCreated])
        #expect(try connection.sync([Self.points.definition]) == ["points": .alreadyInSync])
    }

    @Test func o8NamesAreQuoted() throws {
        let old = TableDefinition(name: "or\"der", columns: [ColumnDefinition(name: "select", type: "TEXT")])
        var new = old
        new.columns.append(ColumnDefinition(name: "from", type: "TEXT", unique: .init()))
        #expect(try connection.sync([old]) == ["or\"der": .newTableCreated])
        try connection.insert(into: "or\"der", ["select": "x"])
        #expect(try connection.sync([new]) == ["or\"der": .newColumnsAdded])
        #expect(try connection.tableInfo("or\"der")?.sql == new.sql)
        #expect(try connection.count("or\"der") == 1)
    }

    @Test func aPlanIsStaleAfterAnotherChange() throws {
        try connection.execute("CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
        let plan = try connection.plan(toMatch: User.table)
        try connection.addColumn("age INTEGER", to: "users")
        #expect(throws: SchemaError.planIsStale) { try plan.apply() }
    }

    @Test func indexesAreCreatedAndChanged() throws {
        var table = User.table.definition
        table.indexes = [IndexDefinition(name: "by_name", table: "users", columns: ["name"])]
        try connection.sync([table])
        #expect(try connection.sync([table]) == ["users": .alreadyInSync])
        table.indexes[0].isUnique = true
        let plan = try connection.plan(toMatch: [table])
        #expect(
            plan.description == """
                DropIndex("by_name")
                CreateIndex("by_name", on: "users", "name", unique: true)
                """
        )
        #expect(try plan.apply() == ["users": .tableChanged])
        #expect(try connection.tableInfo("users")?.indexes == table.indexes)
    }

    @Test func theHistoryIsComparedWithTheTables() throws {
        let schema = Schema("s") {
            Version(1) {
                CreateTable("users") {
                    ColumnDef("id", Int64.self, .primaryKey); ColumnDef("name", String?.self)
                }
            }
        }
        let drift = try schema.drift(from: User.table, Self.points)
        #expect(
            drift.description == """
                AlterTable("users") {
                    ChangeColumn("name", sql: "TEXT NOT NULL")
                    AddColumn("age", sql: "INTEGER")
                }
                CreateTable("points", .constraint(TableConstraint(.primaryKey(["x", "y"])))) {
                    ColumnDef("x", sql: "INTEGER NOT NULL")
                    ColumnDef("y", sql: "INTEGER NOT NULL")
                    ColumnDef("label", sql: "TEXT")
                }
                """
        )
        #expect(try Set([drift, schema.drift(from: User.table, Self.points)]).count == 1)
        #expect(try drift != schema.drift(from: User.table))
        let next = Schema("s") {
            schema.versions[0]
            Version(2) {
                AlterTable("users") {
                    AddColumn("age", sql: "INTEGER")
                    ChangeColumn("name", sql: "TEXT NOT NULL")
                }
                CreateTable("points", .constraint(TableConstraint(.primaryKey(["x", "y"])))) {
                    ColumnDef("x", sql: "INTEGER NOT NULL")
                    ColumnDef("y", sql: "INTEGER NOT NULL")
                    ColumnDef("label", sql: "TEXT")
                }
            }
        }
        #expect(try next.drift(from: User.table, Self.points).isEmpty)
    }

    @Test func theDriftOfASchemaWithoutVersions() throws {
        let drift = try Schema("empty") {}.drift(from: User.table)
        #expect(drift.changes.count == 1 && !drift.isEmpty)
        #expect(try Schema("empty") {}.drift().isEmpty)
    }
}
