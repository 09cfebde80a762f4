import Foundation
import Squall
import SquallTesting
import Testing

struct TestClockTests {
    /// 2027-01-15 08:00:00.250.
    static let date = Date(timeIntervalSince1970: 1_800_000_000.25)

    let clock = TestClock(at: date)
    let connection: Connection
    /// A connection with SQLite's own functions.
    let plain: Connection

    init() throws {
        connection = try Connection(":memory:")
        plain = try Connection(":memory:")
        try clock.install(on: connection)
    }

    @Test func theClockStandsStill() {
        #expect(clock.now == Self.date)
        #expect(clock.now == clock.date())
        clock.advance(by: .milliseconds(1500))
        #expect(clock.date() == Date(timeIntervalSince1970: 1_800_000_001.75))
        clock.advance(by: .seconds(-2))
        #expect(clock.now == Date(timeIntervalSince1970: 1_799_999_999.75))
    }

    @Test func fractionsOfMillisecondsAddUp() {
        for _ in 1...4 { clock.advance(by: .microseconds(250)) }
        #expect(clock.now == Date(timeIntervalSince1970: 1_800_000_000.251))
        let early = TestClock(at: Date(timeIntervalSince1970: -1))
        early.advance(by: .nanoseconds(-1))
        #expect(early.now == Date(timeIntervalSince1970: -1.001))
    }

    @Test func advancingIsSafeOnAllThreads() async {
        await withTaskGroup(of: Void.self) { [clock] group in
            for _ in 1...100 { group.addTask { clock.advance(by: .milliseconds(10)) } }
        }
        #expect(clock.now == Date(timeIntervalSince1970: 1_800_000_001.25))
    }

    @Test(arguments: [
        ("date('now')", "2027-01-15"),
        ("date()", "2027-01-15"),
        ("time('NOW')", "08:00:00"),
        ("datetime('Now')", "2027-01-15 08:00:00"),
        ("datetime()", "2027-01-15 08:00:00"),
        ("datetime(x'6e6f77')", "2027-01-15 08:00:00"),
        ("datetime('now', '-1 day')", "2027-01-14 08:00:00"),
        ("date('now', 'start of month', '+1 month', '-1 day')", "2027-01-31"),
        ("strftime('%Y %f', 'now')", "2027 00.250"),
        ("strftime('%s')", "1800000000"),
        ("strftime('%H:%M', 'now', '+90 minutes')", "09:30"),
        ("CURRENT_DATE", "2027-01-15"),
        ("current_time", "08:00:00"),
        ("CURRENT_TIMESTAMP", "2027-01-15 08:00:00"),
    ])
    func nowIsTheTimeOfTheClock(sql: String, expected: String) throws {
        try expectRows("SELECT \(raw: sql)", on: connection, [[expected]])
    }

    @Test func numbersKeepTheirTypes() throws {
        try expectRows(
            "SELECT unixepoch(), unixepoch('now', '+1 second'), julianday('now')", on: connection,
            [[1_800_000_000, 1_800_000_001, 1_800_000_000.25 / 86_400 + 2_440_587.5]])
    }

    /// The results are SQLite's own for the same time.
    @Test(arguments: [
        ("datetime", "'localtime'"), ("datetime", "'utc'"), ("datetime", "'weekday 0'"), ("datetime", "'no modifier'"),
        ("datetime", "NULL"), ("datetime", "'unixepoch'"), ("datetime", "'auto'"), ("date", "'+3 months'"),
        ("datetime", "'subsec'"), ("unixepoch", "'subsec'"), ("julianday", "'start of year'"),
    ])
    func modifiersAreOfSQLite(function: String, modifier: String) throws {
        let time = "'2027-01-15 08:00:00.250Z'"
        let expected: BindingValue? = try plain.query("SELECT \(raw: "\(function)(\(time), \(modifier))")")
        try expectRows("SELECT \(raw: "\(function)('now', \(modifier))")", on: connection, [[expected]])
    }

    @Test(arguments: [
        "date('2020-02-29', '+1 year')", "datetime(0, 'unixepoch')", "julianday('2000-01-01')", "time('12:00')",
        "strftime('%s', '2000-01-01')", "datetime('1800000000', 'unixepoch')", "date(2460000.5)", "date('nowhere')",
        "date(NULL)", "strftime()", "strftime(NULL)", "strftime('%Y', NULL)", "strftime('now', '2000-01-01')",
        "typeof(julianday('2000-01-01'))", "typeof(strftime('%s', 0))", "date('now ')", "unixepoch('1970-01-02')",
    ])
    func otherTimesAreOfSQLite(sql: String) throws {
        let expected: BindingValue? = try plain.query("SELECT \(raw: sql)")
        try expectRows("SELECT \(raw: sql)", on: connection, [[expected]])
    }

    /// SQLite 3.42 and 3.43.
    @Test func laterFunctionsWorkWhereSQLiteHasThem() throws {
        if try plain.query("SELECT datetime('subsec') IS NOT NULL") as Bool {
            try expectRows(
                "SELECT datetime('subsec'), unixepoch('SUBSECOND')", on: connection,
                [["2027-01-15 08:00:00.250", 1_800_000_000.25]])
        }
        let functions: [String] = try plain.query("SELECT name FROM pragma_function_list")
        if functions.contains("timediff") {
            try expectRows(
                "SELECT timediff('now', '2027-01-15')", on: connection, [["+0000-00-00 08:00:00.250"]])
        }
    }

    @Test func theSchemaUsesTheClock() throws {
        try connection.execute(
            """
            CREATE TABLE notes(
                id INTEGER PRIMARY KEY, at DEFAULT CURRENT_TIMESTAMP, day DEFAULT (date('now', '+1 day'))
            );
            CREATE TABLE log(at);
            CREATE TRIGGER noted AFTER INSERT ON notes BEGIN INSERT INTO log VALUES(datetime('now')); END;
            CREATE VIEW today AS SELECT CURRENT_DATE AS day;
            INSERT INTO notes(id) VALUES(1);
            """)
        clock.advance(by: .seconds(3600))
        try connection.execute("INSERT INTO notes(id) VALUES(2)")
        try expectRows(
            "SELECT * FROM notes", on: connection,
            [
                [1, "2027-01-15 08:00:00", "2027-01-16"], [2, "2027-01-15 09:00:00", "2027-01-16"],
            ])
        try expectRows("SELECT at FROM log", on: connection, [["2027-01-15 08:00:00"], ["2027-01-15 09:00:00"]])
        try expectRows("SELECT day FROM today", on: connection, [["2027-01-15"]])
    }

    @Test func indexesAndGeneratedColumnsStillWork() throws {
        try connection.execute(
            """
            CREATE TABLE events(at TEXT, day TEXT AS (date(at)) STORED, CHECK (datetime(at) IS NOT NULL));
            CREATE INDEX events_month ON events(strftime('%Y-%m', at));
            INSERT INTO events(at) VALUES('2026-05-06 07:08:09'), ('2026-06-07 08:09:10');
            ALTER TABLE events RENAME COLUMN at TO moment;
            VACUUM;
            """)
        let sql: SQL = "SELECT day FROM events WHERE strftime('%Y-%m', moment) = '2026-06'"
        try expectRows(sql, on: connection, [["2026-06-07"]])
        let plan = try connection.query("EXPLAIN QUERY PLAN " + sql) { try $0.get("detail") as String }
        #expect(plan?.contains("events_month") == true)
        try expectRows("PRAGMA integrity_check", on: connection, [["ok"]])
    }

    /// A difference from SQLite, which refuses both.
    @Test func nowInAnIndexIsNotRefused() throws {
        let sql: SQL = "CREATE TABLE t(a); INSERT INTO t VALUES(1); CREATE INDEX i ON t(a) WHERE date('now') > '2000'"
        try connection.execute(sql)
        #expect(throws: SQLiteError.self) { try plain.execute(sql) }
        #expect(throws: SQLiteError.self) { try connection.execute("CREATE INDEX j ON t(CURRENT_DATE)") }
    }

    @Test func aDateIsReadAsTheTimeOfTheClock() throws {
        let now: Date = try connection.query("SELECT strftime('%Y-%m-%d %H:%M:%f', 'now')")
        #expect(now == clock.now)
    }

    @Test(.database(.file, migratedBy: Library.history, clockAt: Self.date))
    func theTraitInstallsAClockOnAllConnections() async throws {
        let (database, clock) = (try TestDatabase.current, try TestDatabase.clock)
        let onWriter: String = try await database.write { try $0.query("SELECT datetime('now')") }
        #expect(onWriter == "2027-01-15 08:00:00")
        clock.advance(by: .seconds(1))
        try await expectRows("SELECT CURRENT_TIMESTAMP", [["2027-01-15 08:00:01"]])
    }

    @Test(.database(clockAt: Self.date), arguments: 1...10)
    func eachCaseHasItsOwnClock(seconds: Int) async throws {
        try TestDatabase.clock.advance(by: .seconds(seconds))
        await Task.yield()
        try await expectRows("SELECT unixepoch('now')", [[1_800_000_000 + seconds]])
    }

    @Test func whileAStatementRunsItIsBusy() throws {
        try plain.forEach("SELECT 1") { _ in
            let error = #expect(throws: SQLiteError.self) { try clock.install(on: plain) }
            #expect(error?.resultCode == .busy)
        }
    }
}
