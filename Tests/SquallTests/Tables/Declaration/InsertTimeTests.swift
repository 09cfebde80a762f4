import Foundation
import Squall
import SquallTestSupport
import Testing

/// `.default(.now)`: the time of the INSERT, in the form of the column.
struct InsertTimeTests {
    private struct Event: TableRecord, Equatable {
        let id: Int64?
        let text: Date
        let optional: Date?
        let unixTime: Date
        let unixMilliseconds: Date?
        let julianDay: Date
        let wrappedTime: UnixTime
        let wrappedMilliseconds: UnixMilliseconds?
        let wrappedDay: JulianDay

        static let table = Table("events", Event.init) {
            Column("id", \Event.id, .primaryKey)
            Column("text", \Event.text, as: .text, .default(.now))
            Column("optional", \Event.optional, .default(.now))
            Column("unixTime", \Event.unixTime, as: .unixTime, .default(.now))
            Column("unixMilliseconds", \Event.unixMilliseconds, as: .unixMilliseconds, .default(.now))
            Column("julianDay", \Event.julianDay, as: .julianDay, .default(.now))
            Column("wrappedTime", \Event.wrappedTime, .default(.now))
            Column("wrappedMilliseconds", \Event.wrappedMilliseconds, .default(.now))
            Column("wrappedDay", \Event.wrappedDay, .default(.now))
        }
    }

    private struct Note: TableRecord, Equatable {
        let id: Int64?
        let at: Date
        static let table = Table("notes", Note.init) {
            Column("id", \Note.id, .primaryKey)
            Column("at", \Note.at, .default(.now))
        }
    }

    private static let old = Schema("notes") {
        Version(1) { CreateTable("notes") { ColumnDef("id", Int64?.self, .primaryKey) } }
    }

    let connection: Connection

    init() throws {
        connection = try Connection()
    }

    /// Whether the rows have a time that is not later than that of the statement, and not much earlier.
    private func areRecent(_ column: SQL, of table: SQL) throws -> Bool {
        try connection.query(
            "SELECT min(julianday('now') - julianday(\(column)) BETWEEN 0 AND 0.1) FROM \(table)")
    }

    @Test func theSQL() throws {
        let milliseconds = "CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)"
        let lines = Event.table.definition.columns.dropFirst().map(\.sql.text)
        #expect(
            lines == [
                #""text" TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%f', 'now'))"#,
                #""optional" TEXT DEFAULT (strftime('%Y-%m-%dT%H:%M:%f', 'now'))"#,
                #""unixTime" REAL NOT NULL DEFAULT (round((julianday('now') - 2440587.5) * 86400, 3))"#,
                #""unixMilliseconds" INTEGER DEFAULT (\#(milliseconds))"#,
                #""julianDay" REAL NOT NULL DEFAULT (julianday('now'))"#,
                #""wrappedTime" REAL NOT NULL DEFAULT (round((julianday('now') - 2440587.5) * 86400, 3))"#,
                #""wrappedMilliseconds" INTEGER DEFAULT (\#(milliseconds))"#,
                #""wrappedDay" REAL NOT NULL DEFAULT (julianday('now'))"#,
            ])
        let step = ColumnDef("at", Date?.self, .default(.now))
        try Schema("s") { Version(1) { CreateTable("t") { step } } }.migrate(connection)
        #expect(
            try connection.query("SELECT sql FROM sqlite_master WHERE name = 't'")
                == #"CREATE TABLE "t"("at" TEXT DEFAULT (strftime('%Y-%m-%dT%H:%M:%f', 'now')))"#)
    }

    /// A date that is given is a value, as before.
    @Test func valuesAreAsBefore() {
        let day = Date(timeIntervalSince1970: 0)
        func sql(_ constraint: ColumnConstraint<Date>) -> String? {
            Table("notes", Note.init) {
                Column("id", \Note.id, .primaryKey)
                Column("at", \Note.at, constraint)
            }.definition.columns[1].defaultValue?.debugDescription
        }
        #expect(sql(.default(day)) == "'1970-01-01T00:00:00.000'")
        #expect(sql(.default(.init(timeIntervalSince1970: 1))) == "'1970-01-01T00:00:01.000'")
        #expect(sql(.default(.distantPast))?.hasPrefix("'0") == true)
    }

    /// All forms have the time of the statement, to the millisecond, and conditions find what they store.
    @Test func everyFormHasTheTimeOfTheStatement() throws {
        try connection.create(Event.table)
        let isNow: Bool = try connection.query(
            """
            INSERT INTO events DEFAULT VALUES RETURNING
                text = strftime('%Y-%m-%dT%H:%M:%f', 'now') AND optional = text AND julianDay = julianday('now')
                AND unixTime = unixMilliseconds / 1000.0 AND wrappedTime = unixTime AND wrappedDay = julianDay
                AND wrappedMilliseconds = unixMilliseconds
                AND strftime('%Y-%m-%dT%H:%M:%f', unixMilliseconds / 1000.0, 'unixepoch') = text
            """)
        #expect(isNow)
        let event = try #require(try connection.first(Event.query))
        let times = [
            event.text, event.optional, event.unixTime, event.unixMilliseconds, event.julianDay, event.wrappedTime.date,
            event.wrappedMilliseconds?.date, event.wrappedDay.date,
        ].map { $0.map { ($0.timeIntervalSince1970 * 1000).rounded() } }
        #expect(Set(times).count == 1 && times[0] != nil)
        let found = try connection.all(Event.self) {
            $0.text == event.text && $0.optional == event.optional && $0.unixTime == event.unixTime
                && $0.unixMilliseconds == event.unixMilliseconds && $0.julianDay == event.julianDay
                && $0.wrappedTime == event.wrappedTime && $0.wrappedMilliseconds == event.wrappedMilliseconds
                && $0.wrappedDay == event.wrappedDay
        }
        #expect(found == [event])
        #expect(try areRecent("text", of: "events"))
    }

    @Test func strictTablesHaveIt() throws {
        let table = Table("notes", Note.init, .strict) {
            Column("id", \Note.id, .primaryKey)
            Column("at", \Note.at, as: .unixMilliseconds, .default(.now))
        }
        try connection.create(table)
        try connection.execute("INSERT INTO notes DEFAULT VALUES")
        let note = try #require(try connection.table(table).first())
        #expect(try connection.table(table).all { $0.at == note.at } == [note])
    }

    @Test func aFormOfTheProgramHasNoTime() throws {
        let table = Table("notes", Note.init) {
            Column("id", \Note.id, .primaryKey)
            Column("at", \Note.at, as: .json, .default(.now))
        }
        let error = #expect(throws: SchemaError.self) { try connection.create(table) }
        #expect("\(String(describing: error))".contains(#"in the form of the column "at": use `.default(sql:)`"#))
    }

    // MARK: Schemas

    /// ADD COLUMN refuses an expression, so that the table is made again.
    @Test func addingTheColumnRebuildsTheTable() throws {
        try Self.old.migrate(connection)
        try connection.execute("INSERT INTO notes VALUES(1), (7)")
        let schema = Schema("notes") {
            Version(1) { CreateTable("notes") { ColumnDef("id", Int64?.self, .primaryKey) } }
            Version(2) { AlterTable("notes") { AddColumn("at", Date.self, .default(.now)) } }
        }
        try schema.migrate(connection)
        #expect(try connection.all(Note.self).map(\.id) == [1, 7])
        #expect(try areRecent("at", of: "notes"))
        #expect(try schema.drift(from: Note.table).isEmpty)
        #expect(try connection.plan(toMatch: Note.table).isEmpty)
    }

    @Test func syncAddsTheColumnOnce() throws {
        try Self.old.migrate(connection)
        try connection.execute("INSERT INTO notes VALUES(1), (7)")
        #expect(try connection.sync([Note.table.definition]) == ["notes": .newColumnsAdded])
        let notes = try connection.all(Note.self)
        #expect(notes.map(\.id) == [1, 7])
        #expect(try areRecent("at", of: "notes"))
        #expect(try connection.sync([Note.table.definition]) == ["notes": .alreadyInSync])
        #expect(try connection.all(Note.self) == notes)
    }

    @Test func aTableThatWasCreatedDoesNotDiffer() throws {
        try connection.create(Event.table)
        #expect(try connection.plan(toMatch: Event.table).isEmpty)
        #expect(try connection.sync([Event.table.definition]) == ["events": .alreadyInSync])
        let schema = Schema("events") { Version(1) { CreateTable(Event.table.definition) } }
        #expect(try schema.drift(from: Event.table).isEmpty)
        let drift = try Self.old.drift(from: Note.table)
        let line = #"AddColumn("at", sql: "TEXT NOT NULL DEFAULT (strftime(\'%Y-%m-%dT%H:%M:%f\', \'now\'))")"#
        #expect("\(drift)".contains(line), "\(drift)")
    }

    /// The moment of a declaration, which earlier versions of the library have stored, is another default.
    @Test func aMomentIsAnotherDefault() throws {
        try connection.execute(
            "CREATE TABLE notes(id INTEGER PRIMARY KEY, at TEXT NOT NULL DEFAULT '2026-11-28T01:02:14.744')")
        try connection.execute("INSERT INTO notes DEFAULT VALUES")
        let before = try connection.all(Note.self)
        #expect(try connection.sync([Note.table.definition]) == ["notes": .tableChanged])
        #expect(try connection.all(Note.self) == before)
        try connection.execute("INSERT INTO notes DEFAULT VALUES; DELETE FROM notes WHERE id = 1")
        #expect(try areRecent("at", of: "notes"))
    }
}
