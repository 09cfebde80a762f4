import SquallChanges
import Foundation
import Squall
import SquallTestSupport
import Testing

/// Random transactions, after which undoing all steps restores the rows of the beginning, and redoing all those of the end.
@Suite(.enabled(if: SQLiteFeatures.sessions))
struct UndoPropertyTests {
    private static let schema = """
        CREATE TABLE owners(id INTEGER PRIMARY KEY, name TEXT UNIQUE, age);
        CREATE TABLE cars(
            country TEXT, number INTEGER, owner INTEGER REFERENCES owners ON DELETE CASCADE ON UPDATE CASCADE,
            photo BLOB, price REAL, PRIMARY KEY(country, number)) WITHOUT ROWID;
        CREATE TABLE wheels(
            id TEXT PRIMARY KEY NOT NULL, country, number, size, slot UNIQUE,
            FOREIGN KEY(country, number) REFERENCES cars ON DELETE SET NULL ON UPDATE CASCADE);
        CREATE TABLE counts(name TEXT PRIMARY KEY, value);
        INSERT INTO counts VALUES('owners', 0), ('cars', 0);
        CREATE TRIGGER more AFTER INSERT ON owners BEGIN
            UPDATE counts SET value = value + 1 WHERE name = 'owners';
        END;
        CREATE TRIGGER fewer AFTER DELETE ON cars BEGIN
            INSERT OR REPLACE INTO counts SELECT 'cars', count(*) FROM cars;
        END;
        CREATE TRIGGER renamed AFTER UPDATE OF name ON owners BEGIN
            UPDATE owners SET age = age + 1 WHERE id = new.id;
        END;
        """
    private static let tables = ["owners", "cars", "wheels", "counts"]

    private static func dump(_ database: Database) throws -> [String] {
        try database.blocking.read { connection in
            var lines: [String] = []
            for table in tables {
                let columns: [String] = try connection.query("SELECT name FROM pragma_table_info(\(table))")
                let values = columns.map { "quote(\"\($0)\")" }.joined(separator: " || ',' || ")
                let rows: [String] = try connection.query("SELECT \(raw: values) FROM \(name: table)")
                lines += rows.sorted().map { "\(table): \($0)" }
            }
            return lines
        }
    }

    private static func value(_ random: inout SeededGenerator) -> String {
        random.pick([
            "NULL", "1", "2.5", "'text'", "x'00ff'", "''", "zeroblob(5000)", "'a' || char(0) || 'b'", "-7", "x''",
        ])
    }

    private static func statement(_ random: inout SeededGenerator) -> String {
        func number(_ range: Range<Int> = 1..<7) -> Int { Int.random(in: range, using: &random) }
        let name = random.pick(["'a'", "'b'", "'c'", "'d'", "NULL"])
        let owner = random.pick(["1", "2", "3", "4", "NULL"])
        let car = "country = \(random.pick(["'FI'", "'SE'"])) AND number = \(number(1..<4))"
        switch number(0..<15) {
        case 0, 1: return "INSERT OR IGNORE INTO owners VALUES(\(number()), \(name), \(value(&random)))"
        case 2: return "INSERT OR REPLACE INTO owners VALUES(\(number()), \(name), \(value(&random)))"
        case 3: return "DELETE FROM owners WHERE id = \(number())"
        case 4: return "UPDATE OR IGNORE owners SET id = id + 10 * (id < 10) WHERE id = \(number())"
        case 5: return "UPDATE OR IGNORE owners SET name = \(name) WHERE id = \(number())"
        // Two rows exchange their names.
        case 6:
            return """
                UPDATE owners SET name = 'swap' WHERE name = 'a'; UPDATE owners SET name = 'a' WHERE name = 'b';
                UPDATE owners SET name = 'b' WHERE name = 'swap'
                """
        case 7, 8:
            return """
                INSERT OR REPLACE INTO cars
                VALUES(\(random.pick(["'FI'", "'SE'"])), \(number(1..<4)), \(owner), \(value(&random)), \(number()))
                """
        case 9: return "UPDATE cars SET photo = \(value(&random)), price = price + 1 WHERE \(car)"
        case 10: return "DELETE FROM cars WHERE \(car)"
        case 11: return "UPDATE OR IGNORE cars SET number = number + 5 WHERE \(car)"
        case 12:
            return """
                INSERT OR REPLACE INTO wheels
                SELECT 'w\(number())', country, number, \(value(&random)), \(number()) FROM cars WHERE \(car)
                """
        case 13: return "UPDATE wheels SET size = \(value(&random)) WHERE id > 'w\(number())'"
        default: return "DELETE FROM wheels WHERE id = 'w\(number())'"
        }
    }

    private static func write(_ database: Database, _ random: inout SeededGenerator) throws {
        let statements = (0..<Int.random(in: 1..<5, using: &random)).map { _ in statement(&random) }
        let sql = statements.joined(separator: ";\n")
        let isRolledBack = random.chance(15)
        let hasSavepoint = random.chance(30)
        if random.chance(30) {
            // Statements of their own; some violate a foreign key or a UNIQUE constraint.
            for statement in statements { try? database.blocking.writeWithoutTransaction { try $0.execute("\(raw: statement)") } }
        } else {
            try? database.blocking.write { connection in
                if hasSavepoint {
                    try? connection.savepoint {
                        try connection.execute("\(raw: statements[0])")
                        if isRolledBack { throw CancellationError() }
                    }
                }
                try connection.execute("\(raw: sql)")
                if isRolledBack { throw CancellationError() }
            }
        }
    }

    @Test(arguments: 0..<12) func undoingAndRedoingAll(_ part: Int) throws {
        let seed = TestSeed.of()
        let failure = try Self.failure(seed.generator(part))
        #expect(failure == nil, "seed \(seed), part \(part)")
    }

    /// Returns the operation after which the rows differ, if there is one.
    private static func failure(_ generator: SeededGenerator) throws -> String? {
        var random = generator
        let database = try Database(":memory:")
        try database.blocking.writeWithoutTransaction { try $0.execute("\(raw: schema)") }
        for _ in 0..<10 { try write(database, &random) }
        let history = try UndoHistory(database, tables: tables, limit: 10_000)
        let start = try dump(database)
        // The rows after each step.
        var dumps = [start]
        var position = 0
        for _ in 0..<60 {
            if random.chance(25) {
                if try history.blocking.undo() { position -= 1 }
                if try dump(database) != dumps[position] { return "undo to \(position)" }
            } else if random.chance(15) {
                if try history.blocking.redo() { position += 1 }
                if try dump(database) != dumps[position] { return "redo to \(position)" }
            } else {
                try write(database, &random)
                let end = try dump(database)
                if history.canRedo {
                    // Nothing was recorded: a new step would leave none to redo.
                    if end != dumps[position] { return "unrecorded" }
                    continue
                }
                // The statements can be several steps, also where they leave the rows as they were.
                var back: [[String]] = []
                while try history.blocking.undo() { back.append(try dump(database)) }
                if (back.last ?? end) != start { return "start" }
                dumps = back.reversed() + [end]
                while try history.blocking.redo() {}
                if try dump(database) != end { return "end" }
                position = dumps.count - 1
            }
        }
        while try history.blocking.undo() {}
        if try dump(database) != start { return "undo of all" }
        while try history.blocking.redo() {}
        return try dump(database) == dumps.last ? nil : "redo of all"
    }
}
