import Squall

/// A declared table, to which the file is brought, also after it was changed by hand.
final class SchemaFeature: FeatureParts {
    private let suffix: String
    private var definition: TableDefinition
    private var texts: [String] = []
    private var number = 0

    init(_ suffix: String) {
        self.suffix = suffix
        definition = TableDefinition(
            name: "declared_\(suffix)",
            columns: [
                ColumnDefinition(name: "id", type: "INTEGER", primaryKey: .init()),
                ColumnDefinition(name: "text", type: "TEXT", notNull: .init()),
            ], indexes: [IndexDefinition(name: "texts_\(suffix)", table: "declared_\(suffix)", columns: ["text"])])
    }

    /// The columns that the program uses.
    private var expected: ExpectedSchema {
        let columns = definition.columns.map {
            ExpectedSchema.Column($0.name, $0.type, isNotNull: $0.notNull != nil)
        }
        return ExpectedSchema(sqliteVersion: "3.40.1", tables: [ExpectedSchema.Table(definition.name, columns)])
    }

    var canResume: Bool { false }

    var ownTables: [String] { [definition.name, children] }

    /// A table whose rows are deleted with those of the declared one, which a rebuild must not do.
    private var children: String { "children_\(suffix)" }

    /// Only this process knows the rows of the tables.
    func configure(_ settings: inout WorldSettings) { settings.allowsProcesses = false }

    func setUp(_ world: World) throws {
        try sync(world, .newTableCreated)
        // SQLite runs the newest first. A sync that creates both again keeps their order.
        try run(world, appending("second", "z_second"))
        try run(world, appending("first", "a_first"))
        try run(
            world,
            "CREATE TABLE \(children)(id INTEGER PRIMARY KEY REFERENCES \(definition.name)(id) ON DELETE CASCADE)")
    }

    /// Returns the statement that creates a trigger, which appends a word to the text of a new row.
    private func appending(_ word: String, _ name: String) -> String {
        """
        CREATE TRIGGER \(name)_\(definition.name) AFTER INSERT ON \(definition.name) BEGIN \
        UPDATE \(definition.name) SET text = text || ' \(word)' WHERE id = new.id; END
        """
    }

    private func sync(_ world: World, _ outcome: SyncOutcome) throws {
        world.log("_ = try db.blocking.writeWithoutTransaction { try $0.sync([\(definitionSwift)]) }")
        let outcomes = try world.database.blocking.writeWithoutTransaction { try $0.sync([definition]) }
        try require(outcomes == [definition.name: outcome], "a sync has made \(outcomes), not \(outcome)")
    }

    /// The definition as Swift.
    private var definitionSwift: String {
        let columns = definition.columns.map { column in
            let options = [
                column.primaryKey == nil ? nil : "primaryKey: .init()",
                column.notNull == nil ? nil : "notNull: .init()",
                column.defaultValue.map { "defaultValue: \"\($0.text)\"" },
                column.checks.first.map { "checks: [.init(name: nil, condition: \"\($0.condition.text)\")]" },
            ]
            let texts = ["name: \"\(column.name)\"", "type: \"\(column.type)\""] + options.compactMap(\.self)
            return "ColumnDefinition(\(texts.joined(separator: ", ")))"
        }
        let index = "IndexDefinition(name: \"texts_\(suffix)\", table: \"\(definition.name)\", columns: [\"text\"])"
        return """
            TableDefinition(name: "\(definition.name)", columns: [\(columns.joined(separator: ", "))], indexes: [\(index)])
            """
    }

    private func run(_ world: World, _ sql: String) throws {
        world.log("try db.blocking.write { try $0.execute(\"\(sql)\") }")
        try world.database.blocking.write { try $0.execute("\(raw: sql)") }
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        number += 1
        try run(world, "INSERT INTO \(definition.name)(text) VALUES('row \(number)')")
        try run(world, "INSERT INTO \(children) SELECT max(id) FROM \(definition.name)")
        texts.append("row \(number) first second")
        switch dice.number(below: 5) {
        case 0:
            definition.columns.append(
                ColumnDefinition(name: "extra_\(number)", type: "INTEGER", notNull: .init(), defaultValue: "5"))
            try sync(world, .newColumnsAdded)
        case 1 where definition.columns.count > 2:
            definition.columns.removeLast()
            try sync(world, .oldColumnsRemoved)
        case 2:
            // A constraint, for which the table is rebuilt.
            definition.columns[1].checks = [.init(name: nil, condition: "length(text) < \(raw: "\(100 + number)")")]
            try sync(world, .tableChanged)
        case 3: try DeclaredDifference(name: "differing_\(suffix)").check(world, &dice)
        default: try changeByHand(world, &dice)
        }
        try sync(world, .alreadyInSync)
        try world.check()
    }

    /// Drops an index or a column that is declared, which is found and mended.
    private func changeByHand(_ world: World, _ dice: inout Dice) throws {
        if definition.columns.count == 2 || dice.once(in: 2) {
            try run(world, "DROP INDEX texts_\(suffix)")
            let plan = try world.database.blocking.read { try $0.plan(toMatch: [definition]).description }
            try require(plan.hasPrefix("CreateIndex"), "the plan for an index that was dropped is \(plan)")
            let schema = Schema("declared") { Version(1) { Execute(definition.sql) } }
            let drift = try schema.drift(from: [definition])
            try require(drift.changes.count == 1, "the drift of a history without an index: \(drift)")
            return try sync(world, .tableChanged)
        }
        try run(world, "ALTER TABLE \(definition.name) DROP COLUMN \(definition.columns[2].name)")
        do {
            try world.database.blocking.read { try $0.require(expected) }
            throw Violation(description: "a column that was dropped is not missed")
        } catch is SchemaMismatch {}
        try sync(world, .newColumnsAdded)
    }

    /// The declared tables are those of the file, and so are the common ones as they are read.
    func check(_ connection: Connection, _ model: Model) throws {
        try connection.require(expected)
        let common = try ["authors", "items"].compactMap { try connection.tableInfo($0) }
        let plan = try connection.plan(toMatch: [definition] + common)
        try require(plan.isEmpty, "the plan for a file that has the declared tables: \(plan)")
        let found: [String] = try connection.query("SELECT text FROM \(name: definition.name) ORDER BY id")
        try require(found == texts, "the declared table has \(found), not \(texts)")
        let count: Int = try connection.query("SELECT count(*) FROM \(name: children)")
        try require(count == texts.count, "\(count) of \(texts.count) rows refer to the declared table")
    }
}
