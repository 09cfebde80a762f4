import Foundation
import SQiftCompatibility
import Testing

/// SQift's names that Squall has others for.
struct NameTests {
    @Test func aCollationIsCreatedOrItsErrorReturned() throws {
        let connection = try Connection()
        #expect(connection.createCollation(named: "c") { $1.compare($0) } == nil)
        #expect(try connection.query("SELECT 'a' > 'b' COLLATE c") == true)
        try connection.forEach("SELECT 1") { _ in
            #expect(connection.createCollation(named: "c") { $0.compare($1) }?.resultCode == .busy)
        }
        #expect(try connection.query("SELECT 'a' > 'b' COLLATE c") == true)
    }

    @Test func propertiesOfAConnection() throws {
        let connection = try Connection(storageLocation: .inMemory, tableLockPolicy: .fastFail)
        #expect(connection.tableLockPolicy == .fastFail && connection.threadSafe)
    }

    @Test func valuesOfARowAreOptional() throws {
        let row = try #require(try StringFormTests.cars().query("SELECT * FROM cars") as Row?)
        #expect(row.value(at: 1) == "Audi")
        #expect(row.value(at: 9) as Int? == nil)
        #expect(row.value(at: 2) as Any? as? Int64 == 52_642)
        #expect(row.value(forColumnName: "price") == 52_642)
        #expect(row.value(forColumnName: "name") as Int? == nil)
    }

    @Test func nullIsBound() throws {
        let connection = try Connection()
        #expect(try connection.query("SELECT typeof(?)", NSNull()) == "null")
        #expect(try connection.query("SELECT typeof(\(NSNull()))") == "null")
        #expect(
            try connection.prepare("SELECT ?, ?").bind(1, NSNull()).query()?.columns.map(\.bindingValue) == [
                .integer(1), .null,
            ])
    }

    @Test func quotesAreDoubledInEscapedText() {
        let escaping: any Escaping = Escaped()
        #expect(escaping.texts == ["''", "'a'", "'it''s'", "'''\u{301}'", "'\"'"])
    }

    @Test func migratorTakesStrings() throws {
        let migrating: any Migrating = Migrated(connection: try Connection())
        #expect(try migrating.result == ["will 1", "did 1", "will 2", "did 2", "cars", "person", "2"])
    }
}

private protocol Escaping {
    var texts: [String] { get }
}

private struct Escaped: Escaping {
    @available(*, deprecated)
    var texts: [String] { ["", "a", "it's", "'\u{301}", "\""].map { $0.sqift.addingSQLEscapes() } }
}

private protocol Migrating {
    var result: [String] { get throws }
}

private struct Migrated: Migrating {
    let connection: Connection

    @available(*, deprecated)
    var result: [String] {
        get throws {
            var log: [String] = []
            let migrator = Migrator(connection: connection, desiredSchemaVersion: 2)
            let count = try migrator.runMigrationsIfNecessary(
                migrationSQLForSchemaVersion: { version in
                    let sql: String = ""

                    switch version {
                    case 1:
                        return "CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price INTEGER)"

                    case 2:
                        return "CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT, address TEXT)"

                    default:
                        break
                    }

                    return sql
                },
                willMigrateToSchemaVersion: { log.append("will \($0)") },
                didMigrateToSchemaVersion: { log.append("did \($0)") }
            )
            return log + (try connection.tableNames().filter { $0 != "schema_migrations" }) + ["\(count)"]
        }
    }
}
