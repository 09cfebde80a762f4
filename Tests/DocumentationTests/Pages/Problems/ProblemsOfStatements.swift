// swift-format-ignore-file
import Foundation
import Squall
import Testing

/// The `swift` blocks of the page "Problems of statements and values".
struct StatementProblemSnippets {
    private let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.execute("""
            CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT NOT NULL, price INTEGER, options TEXT);
            INSERT INTO cars VALUES(1, 'Audi', 52642, '{"seats": 5}'), (2, 'Saab', NULL, '{}');
            """)
    }

    @Test func statements() throws {
        expect(kind: .noStatement, "the SQL has no statement") {
            try connection.run("-- nothing")
        }
        // `execute` runs scripts.
        expect(kind: .severalStatements, "the SQL has more than one statement") {
            try connection.run("DELETE FROM cars; VACUUM")
        }
        // Begin another statement inside the closure.
        expect(kind: .statementInUse, """
            the statement is in use: the closure of its query, and a function that it \
            calls, cannot step, bind or reset it
            """) {
            let cars = try connection.prepare("SELECT id FROM cars")
            try cars.forEach { (_) throws in try cars.reset() }
        }
    }

    @Test func parameters() throws {
        let cars = try connection.prepare(
            "SELECT * FROM cars WHERE name = :name AND id < :id")
        expect(kind: .parameterCount(expected: 2, given: 1), """
            Bind expected 2 parameters, instead received 1
            """) {
            try cars.bind("Audi")
        }
        expect(kind: .unknownParameter(name: "key"), """
            Bind could not find index for key: 'key'
            """) {
            try cars.bind(["name": "Audi", "key": 1])
        }
        expect(kind: .missingParameter(name: ":id"), """
            Bind received no value for parameter ':id'
            """) {
            try cars.bind(["name": "Audi"])
        }
        expect(kind: .repeatedParameter(name: ":name"), """
            Bind received two values for parameter ':name'
            """) {
            try cars.bind(["name": "Audi", ":name": "Saab", "id": 1])
        }
        // Bind the values, or `nil` for NULL, before the statement runs.
        expect(kind: .unboundParameters(count: 2), "the 2 parameters have no values") {
            try cars.run()
        }
        // Name all parameters, or none.
        expect(kind: .unnamedParameter, """
            Bind received values by name, and a parameter of the SQL has no name
            """) {
            try connection.run("UPDATE cars SET name = :name WHERE id = ?", ["name": "Audi"])
        }
    }

    @Test func interpolation() throws {
        let name = "Audi"
        // Interpolate all values, or give all of them as parameters.
        expect(kind: .mixedParameters, """
            the SQL has interpolated values and was given parameters as well
            """) {
            try connection.run("UPDATE cars SET price = \(1) WHERE name = ?", name)
        }
        expect(kind: .parameterBesideValues, """
            the SQL has both a written parameter and interpolated values
            """) {
            try connection.run("UPDATE cars SET price = \(1) WHERE name = ?")
        }
        // Leave the quotes out: name = \(name).
        expect(kind: .valueInsideQuotes, """
            an interpolated value is inside quotes or a comment of the SQL
            """) {
            try connection.run("DELETE FROM cars WHERE name = '\(name)'")
        }
        // SQLite stores the text of a definition. Write the list in it: a IN (1, 2).
        expect(kind: .unbindable(type: "Array"), """
            a value of type Array cannot be bound to a parameter
            """) {
            try connection.createTable(
                "grades", ["a CHECK (a IN (SELECT value FROM \(array: [1, 2])))"])
        }
        expect(kind: .arrayElsewhere, """
            an array is a table of this process: use a list, \\(in: values)
            """) {
            try SQL("SELECT * FROM cars WHERE id IN \(array: [1, 2])").portable()
        }
    }

    @Test func results() throws {
        struct Car: Decodable { let id: Int, name: String }
        // Read a dictionary from a query with two columns.
        expect(kind: .notPairs(type: "Dictionary<String, Int>", columnCount: 3), """
            Dictionary<String, Int> is made of two columns, a key and a value, and \
            the query has 3
            """) {
            let _: [String: Int] = try connection.query("SELECT name, id, price FROM cars")
        }
        // Read an array of records, and make the dictionary of it.
        expect(kind: .notMadeOfRows(type: "Dictionary<String, Car>"), """
            Dictionary<String, Car> is not made of rows: its keys and values must be \
            read from one column each
            """) {
            let _: [String: Car] = try connection.query("SELECT name, id FROM cars")
        }
        expect(kind: .columnCount(expected: 3, found: 2), """
            the tuple is made of 3 columns, and the query has 2
            """) {
            try connection.query("SELECT id, name FROM cars", as: (Int, String, Int).self)
        }
    }

    @Test func rowsAndColumns() throws {
        // Read a `String?`, which is `nil` without a row.
        expect(reason: .noRow, """
            expected String, found no row in: SELECT name FROM cars WHERE id = 9
            """) {
            let _: String = try connection.query("SELECT name FROM cars WHERE id = 9")
        }
        // Read an `Int?`, or exclude the rows with NULL.
        expect(reason: .null, """
            column 0 "price": expected Int, found NULL \
            in: SELECT price FROM cars WHERE id = 2
            """) {
            let _: Int = try connection.query("SELECT price FROM cars WHERE id = 2")
        }
        expect(reason: .storageClass, """
            column 0 "name": expected Int, found TEXT \
            in: SELECT name FROM cars WHERE id = 1
            """) {
            let _: Int = try connection.query("SELECT name FROM cars WHERE id = 1")
        }
        expect(reason: .outOfRange, """
            column 0 "price": expected Int8, found INTEGER 52642, which does not fit \
            in: SELECT price FROM cars WHERE id = 1
            """) {
            let _: Int8 = try connection.query("SELECT price FROM cars WHERE id = 1")
        }
        // Read it as `Data`.
        expect(reason: .invalidUTF8, """
            column 0 "CAST(x'ff' AS TEXT)": expected String, found TEXT that is not \
            valid UTF-8 in: SELECT CAST(x'ff' AS TEXT)
            """) {
            let _: String = try connection.query("SELECT CAST(x'ff' AS TEXT)")
        }
        struct Options: Codable { let seats: Int }
        // `decodingError` has the error of the decoder, which may show the value.
        expect(reason: .unacceptable, """
            column 0 "options": expected JSONBinding<Options>, found TEXT that it \
            does not accept: seats is missing \
            in: SELECT options FROM cars WHERE id = 2
            """) {
            let sql: SQL = "SELECT options FROM cars WHERE id = 2"
            let _: JSONBinding<Options> = try connection.query(sql)
        }
        struct Car: Decodable { let id: Int, doors: Int }
        expect(reason: .noSuchColumn, """
            column "doors": expected Int, but there is \
            no such column in: SELECT id, name FROM cars
            """) {
            let _: [Car] = try connection.query("SELECT id, name FROM cars")
        }
    }
}

extension StatementProblemSnippets {
    @Test func placesOfValues() throws {
        /// Returns the line of an import's report for a value that cannot be read.
        func place(of error: ConversionError) -> String {
            let column = error.columnName ?? error.columnIndex.map { "column \($0)" } ?? "?"
            return switch error.reason {
            case .noRow: "no row"
            case .outOfMemory: "\(column): too large for the memory"
            case .unacceptable where error.decodingError != nil: "\(column): other JSON"
            default: "\(column): \(error.found?.sqlName ?? "no value") as \(error.expected)"
            }
        }
        func place(_ sql: SQL) -> String {
            do {
                let _: JSONBinding<[Int]> = try connection.query(sql)
                return ""
            } catch {
                return (error as? ConversionError).map(place) ?? ""
            }
        }
        #expect(place("SELECT options FROM cars") == "options: other JSON")
        #expect(place("SELECT 7") == "7: INTEGER as JSONBinding<Array<Int>>")
        #expect(place("SELECT 1 WHERE 0") == "no row")
    }
}
