import Squall
import SquallSQLite
import SquallTestSupport
import Testing

struct LimitsTests {
    let connection: Connection

    init() throws {
        connection = try Connection(storageLocation: .inMemory)
    }

    @Test func areReadAndSet() throws {
        #expect(connection.limits[.variables] == 250_000 || connection.limits[.variables] > 0)
        connection.limits[.length] = 1000
        #expect(connection.limits[.length] == 1000)
        #expect(
            try sqliteError { try connection.run("SELECT \(String(repeating: "x", count: 2000))") }.resultCode
                == .tooBig)
        connection.limits[.sqlLength] = 20
        #expect(try sqliteError { try connection.run("SELECT 1 /* more than twenty bytes */") }.resultCode == .tooBig)
    }

    @Test func aValueOverTheMaximumIsLoweredToIt() throws {
        let maximum = connection.limits[.columns]
        connection.limits[.columns] = 100
        connection.limits[.columns] = .max
        #expect(connection.limits[.columns] == maximum)
        connection.limits[.columns] = -5
        #expect(connection.limits[.columns] == maximum)
    }

    @Test func presets() throws {
        let first = connection.limits
        connection.limits = .untrusted
        #expect(connection.limits[.attached] == 0)
        #expect(connection.limits[.length] == 1_000_000)
        #expect(try sqliteError { try connection.attachDatabase(from: .inMemory, withName: "a") }.code == 1)
        connection.limits = .standard
        #expect(connection.limits[.attached] > 0)
        connection.limits = first
        #expect(connection.limits == first)
        #expect(Limits.untrusted[.variables] == -1)
    }

    @Test func unknownLimitsAndClosedConnections() throws {
        #expect(connection.limits[Configuration.Limit(rawValue: 999)] == -1)
        connection.close()
        connection.limits = .untrusted
        #expect(connection.limits[.length] == -1)
    }
}
