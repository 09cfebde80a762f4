import Foundation
import Squall
import SquallTestSupport
import Testing

/// What a caller can tell apart without reading messages.
struct ErrorKindTests {
    private let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b UNIQUE NOT NULL); INSERT INTO t VALUES(1, 'x')")
    }

    @Test func aCatchMatchesByCode() throws {
        var caught: [String] = []
        for values in ["2, 'x'", "1, 'y'", "3, NULL", "4"] {
            do {
                try connection.execute(SQL(raw: "INSERT INTO t VALUES(\(values))"))
            } catch ResultCode.constraintUnique {
                caught.append("unique")
            } catch ResultCode.constraintPrimaryKey {
                caught.append("key")
            } catch ResultCode.constraint {
                caught.append("constraint")
            } catch {
                caught.append("other")
            }
        }
        #expect(caught == ["unique", "key", "constraint", "other"])
        #expect(!(ResultCode.error ~= CancellationError()))
        #expect(!(ResultCode.constraintUnique ~= SQLiteError(code: ResultCode.constraint.rawValue, message: "")))
    }

    @Test func theKindHasTheValues() throws {
        let other = try Connection()
        other.close()
        let statement = try connection.prepare("SELECT ?, :b")
        let path = "a\0b"
        let cases: [(SQLiteError.Kind, () throws -> Void)] = [
            (.sqlite, { try connection.run("SELECT nothing") }),
            (.closed(.connection), { try other.run("SELECT 1") }),
            (.noStatement, { try connection.run("-- nothing") }),
            (.severalStatements, { try connection.run("SELECT 1; SELECT 2") }),
            (.parameterCount(expected: 2, given: 1), { _ = try statement.bind(1) }),
            (.unknownParameter(name: "x"), { _ = try statement.bind(["x": 1]) }),
            (.missingParameter(name: ":b"), { _ = try statement.bind([:]) }),
            (.unboundParameters(count: 2), { try statement.run() }),
            (.mixedParameters, { try connection.run("SELECT \(1), ?", 2) }),
            (.valueInsideQuotes, { try connection.run("SELECT '\(1)'") }),
            (.parameterBesideValues, { try connection.run("SELECT \(1), ?") }),
            (.nulCharacter(in: .identifier), { try connection.run("SELECT \(name: path)") }),
            (.problem(QueryProblem.noAssignments), { try connection.update("t", set: [:]) }),
        ]
        for (kind, attempt) in cases {
            #expect(try sqliteError(attempt).kind == kind)
        }
    }

    @Test func theKindStaysWhenAMigrationAddsItsPlace() throws {
        let schema = Schema("s") { Version(1) { Execute { try $0.run("SELECT \(1), ?", 2) } } }
        let error = try sqliteError { try schema.migrate(connection) }
        #expect(error.kind == .mixedParameters)
        #expect(error.message.hasSuffix("(version 1, Execute)"))
    }

    @Test(arguments: ["\n", "\r\n"]) func theLinesOfACaretEndAnyWay(end: String) throws {
        for (sql, shown) in [
            ("SELECT 1,\(end) nmae", "SELECT 1,\n nmae\n ^"),
            ("SELECT nmae\(end)FROM t", "SELECT nmae\n       ^\nFROM t"),
            ("SELECT 1,\n nmae\(end)FROM t\(end)", "SELECT 1,\n nmae\n ^\nFROM t\n"),
        ] {
            let error = try sqliteError { try connection.run(SQL(raw: sql)) }
            #expect(error.description.components(separatedBy: " in:\n").last == shown)
        }
        // An error of a program's own may point anywhere.
        for offset in [Int.min, -1, 0, 3, 5, 6, 7, 100, .max] {
            let error = SQLiteError(code: 1, message: "m", sql: "a\(end)b\(end)", offset: offset)
            #expect(error.description.contains("a"))
        }
        #expect(try sqliteError { try connection.run("SELECT 1; \0") }.kind == .nulCharacter(in: .sql))
    }

    @Test func aCaretStandsBelowThePlace() throws {
        let error = try sqliteError { try connection.run("SELECT a,\n\tnmae\nFROM t") }
        #expect(
            error.description.hasSuffix(
                """
                , at line 2, column 2 in:
                SELECT a,
                \tnmae
                \t^
                FROM t
                """))
    }
}
