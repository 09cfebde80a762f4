import Squall
import SquallSearch

/// A table whose column gets another type with each version, and with it other values, and a search table that follows it.
///
/// Each version also creates a trigger of the program that updates a new row again, and inserts one.
struct RetypedTable {
    private let name: String
    private let content: SearchTableDefinition.Content
    private let searchTable: SearchTableDefinition

    init(_ suffix: String) {
        let table = "retyped_\(suffix)"
        name = table
        // The pairs have both kinds: each table with an index makes a migration slower.
        content = suffix == "a" ? .own : .external
        searchTable = SearchTableDefinition(
            "\(table)_search", of: .init(table: table, rowID: "id"), columns: "code", content: content)
    }

    /// A number is 7 as an INTEGER, and 7.0 as a REAL, also where it becomes a TEXT.
    private static let types = ["TEXT", "INTEGER", "REAL"]

    private var trigger: String { "\(name)_trimmed" }

    /// The clause of the trigger.
    private var clause: String {
        "AFTER INSERT ON \(name) BEGIN UPDATE \(name) SET code = replace(new.code, 'teh', 'the') WHERE id = new.id; END"
    }

    private var insertion: String { "DELETE FROM \(name) WHERE id > 4; INSERT INTO \(name)(code) VALUES('teh end')" }

    /// The steps of a version.
    @ListBuilder<any SchemaStep>
    func steps(_ number: Int) -> [any SchemaStep] {
        AlterTable(name) { ChangeColumn("code", sql: "\(raw: Self.types[number % Self.types.count])") }
        DropTrigger(trigger)
        CreateTrigger(trigger, "\(raw: clause)")
        Execute("\(raw: insertion)")
    }

    /// The Swift of the steps of a version.
    var stepSwift: String {
        """
        AlterTable("\(name)") { ChangeColumn("code", sql: SQL(raw: \(Self.types)[number % \(Self.types.count)])) }
        DropTrigger("\(trigger)")
        CreateTrigger("\(trigger)", "\(clause)")
        Execute("\(insertion)")
        """
    }

    func setUp(_ world: World) throws {
        let statements = """
            CREATE TABLE \(name)(id INTEGER PRIMARY KEY, code TEXT); \
            INSERT INTO \(name) VALUES(1, '007'), (2, '1.5'), (3, 'alpha'), (4, NULL); \
            CREATE TRIGGER \(trigger) \(clause)
            """
        world.log(
            """
            try db.blocking.write { c in
                try c.execute("\(statements)")
                try c.create(SearchTableDefinition("\(searchTable.name)", of: .init(table: "\(name)", rowID: "id"), columns: "code", \
            content: .\(content)))
            }
            """)
        try world.database.blocking.write { connection in
            try connection.execute("\(raw: statements)")
            try connection.create(searchTable)
        }
    }

    /// The lines with what must hold at the end of the Swift of a run.
    var expectations: [String] {
        [
            "try c.execute(\"INSERT INTO \(searchTable.name)(\(searchTable.name), rank) VALUES('integrity-check', 1)\")"
        ]
    }

    /// The search table has the texts of the values, and none of those before.
    func check(_ connection: Connection) throws {
        let texts = "ifnull(group_concat(id || ' ' || code, ', '), '') FROM (SELECT"
        let codes: String = try connection.query(
            "SELECT \(raw: texts) id, code FROM main.\(name: name) ORDER BY id)")
        let index = searchTable.name
        do {
            try connection.integrityCheck(searchTable)
        } catch ResultCode.readOnly {
            // The check is an INSERT, which a snapshot refuses.
        } catch {
            throw Violation(description: "integrity-check of \(index) with \(codes): \(error)")
        }
        let found: String = try connection.query(
            "SELECT \(raw: texts) rowid AS id, code FROM main.\(name: index) ORDER BY rowid)")
        try require(found == codes, "\(index) has the texts \(found), and the values are \(codes)")
        let hits: [Int64] = try connection.query(
            "SELECT rowid FROM \(name: index) WHERE \(name: index) MATCH '\"007\" OR \"7\" OR \"teh\"'")
        try require(hits == [1], "\(index) finds \(hits) for 7, and the values are \(codes)")
    }
}
