import Squall

/// Triggers of the program that count the rows of `items`, or write each change into an audit.
final class TriggerFeature: FeatureParts {
    private let suffix: String
    private let audits: Bool

    init(_ suffix: String, audits: Bool) {
        (self.suffix, self.audits) = (suffix, audits)
    }

    func shape(_ shape: inout TableShape) { shape.hasTriggers = true }

    private var statements: String {
        let names = ["insert": "new", "update": "new", "delete": "old"]
        if audits {
            let triggers = names.sorted { $0.key < $1.key }.map { event, row in
                // The row with the old key is gone.
                let end =
                    """
                    INSERT INTO audit_\(suffix)(event, item, name) SELECT 'delete', old.id, old.name WHERE old.id <> new.id;
                    """
                return """
                    CREATE TRIGGER audit_\(event)_\(suffix) AFTER \(event) ON items BEGIN
                    \(event == "update" ? end : "")
                    INSERT INTO audit_\(suffix)(event, item, name) VALUES('\(event)', \(row).id, \(row).name); END
                    """
            }
            return """
                CREATE TABLE audit_\(suffix)(number INTEGER PRIMARY KEY, event TEXT NOT NULL, item, name TEXT);
                INSERT INTO audit_\(suffix)(event, item, name) SELECT 'insert', id, name FROM items;
                \(triggers.joined(separator: ";\n"))
                """
        }
        return """
            CREATE TABLE counts_\(suffix)(id INTEGER PRIMARY KEY, rows INTEGER NOT NULL, parts INTEGER NOT NULL);
            INSERT INTO counts_\(suffix) SELECT 1, count(*), ifnull(sum(part), 0) FROM items;
            CREATE TRIGGER count_insert_\(suffix) AFTER INSERT ON items BEGIN
            UPDATE counts_\(suffix) SET rows = rows + 1, parts = parts + new.part; END;
            CREATE TRIGGER count_update_\(suffix) AFTER UPDATE OF part ON items BEGIN
            UPDATE counts_\(suffix) SET parts = parts + new.part - old.part; END;
            CREATE TRIGGER count_delete_\(suffix) AFTER DELETE ON items BEGIN
            UPDATE counts_\(suffix) SET rows = rows - 1, parts = parts - old.part; END
            """
    }

    func setUp(_ world: World) throws {
        world.log("try db.blocking.write { try $0.execute(#\"\"\"\n\(statements)\n\"\"\"#) }")
        try world.database.blocking.write { try $0.execute("\(raw: statements)") }
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        try world.write([.deletePart(Int64(dice.number(below: 3)))], nil, &dice)
    }

    func traces(_ connection: Connection) throws -> String {
        audits
            ? try connection.query("SELECT group_concat(event || item || number) FROM audit_\(raw: suffix)")
            : try connection.query("SELECT rows || ' ' || parts FROM counts_\(raw: suffix)")
    }

    func check(_ connection: Connection, _ model: Model) throws {
        if audits {
            // The last entry of each row is its state.
            let different: Int = try connection.query(
                """
                SELECT count(*) FROM (SELECT item, event, name AS last, max(number) FROM audit_\(raw: suffix) GROUP BY item)
                LEFT JOIN items ON items.id = item
                WHERE (event = 'delete') = (items.id IS NOT NULL)
                OR (event <> 'delete' AND CAST(items.name AS BLOB) IS NOT CAST(last AS BLOB))
                """)
            try require(different == 0, "\(different) rows differ from the last entry of the audit")
            return
        }
        let found: String = try connection.query("SELECT rows || ' ' || parts FROM counts_\(raw: suffix)")
        let expected = "\(model.items.count) \(model.rows.reduce(0) { $0 + $1.part })"
        try require(found == expected, "the triggers have counted \(found), not \(expected)")
    }
}
