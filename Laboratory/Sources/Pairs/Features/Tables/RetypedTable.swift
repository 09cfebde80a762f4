import Squall
import SquallSearch

/// A table whose column gets another type with each version, and with it other values, and the search tables that follow it.
///
/// Each version also creates a trigger of the program that updates a new row again, and inserts one.
struct RetypedTable {
    private let name: String
    private let searchTables: [SearchTableDefinition]

    init(_ suffix: String) {
        let table = "retyped_\(suffix)"
        name = table
        searchTables = Self.contents.map {
            SearchTableDefinition(
                "\(table)_\($0)", of: .init(table: table, rowID: "id"), columns: "code", content: $0)
        }
    }

    private static let contents: [SearchTableDefinition.Content] = [.external, .own]

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
            \(zip(searchTables, Self.contents).map { "    \(swift($0, $1))" }.joined(separator: "\n"))
            }
            """)
        try world.database.blocking.write { connection in
            try connection.execute("\(raw: statements)")
            for table in searchTables { try connection.create(table) }
        }
    }

    private func swift(_ table: SearchTableDefinition, _ content: SearchTableDefinition.Content) -> String {
        """
        try c.create(SearchTableDefinition("\(table.name)", of: .init(table: "\(name)", rowID: "id"), columns: "code", \
        content: .\(content)))
        """
    }

    /// The lines with what must hold at the end of the Swift of a run.
    var expectations: [String] {
        [
            "try c.execute(\"INSERT INTO \(searchTables[0].name)(\(searchTables[0].name), rank) VALUES('integrity-check', 1)\")"
        ]
    }

    /// The search tables have the texts of the values, and none of those before.
    func check(_ connection: Connection) throws {
        let codes: [(Int64, String)] = try connection.query(
            "SELECT id, CAST(code AS TEXT) FROM main.\(name: name) WHERE code IS NOT NULL ORDER BY id",
            as: (Int64, String).self)
        for table in searchTables {
            do {
                try connection.integrityCheck(table)
            } catch {
                throw Violation(description: "integrity-check of \(table.name) with \(codes): \(error)")
            }
            for word in ["007", "7", "7.0", "1.5", "alpha", "teh", "the"] {
                let hits: [Int64] = try connection.query(
                    "SELECT rowid FROM \(name: table.name) WHERE \(name: table.name) MATCH \("\"\(word)\"") ORDER BY rowid"
                )
                let expected = codes.filter { $0.1 == word || $0.1.split { ". ".contains($0) }.contains { $0 == word } }
                try require(
                    hits == expected.map(\.0), "\(table.name) finds \(hits) for \(word), and the values are \(codes)")
            }
        }
    }
}
