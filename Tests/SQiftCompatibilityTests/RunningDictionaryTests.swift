import SQiftCompatibility
import Squall
import Testing

/// SQift's `query` whose closure takes the dictionary built so far.
struct RunningDictionaryTests {
    let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.execute("CREATE TABLE t(a, b); INSERT INTO t VALUES(1, 'x'), (NULL, 'y'), (3, 'z')")
    }

    @Test func theClosureTakesTheDictionaryBuiltSoFar() throws {
        let running: [String: Int] = try connection.query("SELECT b FROM t ORDER BY b") { found, row in
            (row[0], found.count)
        }
        #expect(running == ["x": 0, "y": 1, "z": 2])
    }

    @Test func aValueIsBound() throws {
        let value = "x' OR 'a'='a"
        try connection.run("INSERT INTO t VALUES(4, ?)", value)
        let running: [String: Int] = try connection.query("SELECT b FROM t WHERE b = \(value)") {
            ($1[0], $0.count)
        }
        #expect(running == [value: 0])
    }
}
