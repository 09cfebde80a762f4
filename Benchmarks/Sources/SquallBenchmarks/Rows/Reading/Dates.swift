import SquallSQLite
import Foundation
import GRDB
import Squall

// 50,000 dates as text, one column: read into `[Date]`, and written in one transaction. The C side has a parser and a
// formatter by hand. GRDB writes a space for the `T`, which the check of the written rows takes for the same.

extension Fixtures {
    /// Dates from 1970 on, with eighths of seconds, which a `Double` holds exactly.
    fileprivate func dates() throws -> String {
        try file(
            "dates",
            script: """
                CREATE TABLE dates(date TEXT NOT NULL);
                WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(scaled(50_000) - 1))
                INSERT INTO dates
                SELECT strftime('%Y-%m-%dT%H:%M:%S', n * 35711, 'unixepoch') || printf('.%03d', n % 8 * 125)
                FROM numbers
                """
        )
    }
}

extension Benchmark {
    static let dates = [
        Benchmark(name: "dates-decode", toC: 1.2, toGRDB: 0.50) { fixtures in
            let path = try fixtures.dates()
            let c = try CDatabase(path).prepare("SELECT date FROM dates")
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            return [
                .c: Cell { try c.dates() },
                .squall: Cell { () -> [Date] in try squall.query("SELECT date FROM dates") },
                .grdb: Cell { try grdb.inDatabase { try Date.fetchAll($0, sql: "SELECT date FROM dates") } },
            ]
        },
        Benchmark(name: "dates-bind", toC: 1.2, toGRDB: 0.50) { fixtures in
            let dates = try CDatabase(fixtures.dates()).prepare("SELECT date FROM dates").dates()
            let writing = Writing(
                row: "dates-bind",
                create: "CREATE TABLE dates(date TEXT NOT NULL)",
                check: "SELECT replace(date, ' ', 'T') FROM dates"
            )
            return writing.cells(
                fixtures,
                c: { database in
                    let statement = try database.prepare("INSERT INTO dates VALUES(?)")
                    try database.execute("BEGIN")
                    try statement.insert(dates)
                    try database.execute("COMMIT")
                    sqlite3_finalize(statement.handle)
                },
                squall: { connection in
                    try connection.transaction {
                        let statement = try connection.prepare("INSERT INTO dates VALUES(?)")
                        for date in dates { try statement.bind(date).run() }
                    }
                },
                grdb: { queue in
                    try queue.write { database in
                        let statement = try database.makeStatement(sql: "INSERT INTO dates VALUES(?)")
                        for date in dates { try statement.execute(arguments: [date]) }
                    }
                }
            )
        },
    ]
}

extension CStatement {
    fileprivate func dates() throws -> [Date] {
        var dates: [Date] = []
        try forEachRow {
            let count = sqlite3_column_bytes(handle, 0)
            guard let text = sqlite3_column_text(handle, 0), count == 23, let date = CDate.parse(text) else {
                throw Failure("C: no date")
            }
            dates.append(date)
        }
        return dates
    }

    fileprivate func insert(_ dates: [Date]) throws {
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 23) { buffer in
            guard let text = buffer.baseAddress else { return }
            for date in dates {
                CDate.format(date, text)
                bind(UnsafeBufferPointer(buffer), 1)
                try run()
            }
        }
    }
}

/// `yyyy-MM-ddTHH:mm:ss.SSS`, read and written digit by digit. The days are counted from 0000-03-01.
private enum CDate {
    private static let daysTo2001 = 730_791

    @inline(__always)
    static func parse(_ text: UnsafePointer<UInt8>) -> Date? {
        var isValid = true
        func digits(_ start: Int, _ count: Int) -> Int {
            var number = 0
            for index in start..<start + count {
                let digit = Int(text[index]) - 48
                isValid = isValid && digit >= 0 && digit <= 9
                number = number * 10 + digit
            }
            return number
        }
        var (year, month) = (digits(0, 4), digits(5, 2))
        let (day, hour, minute, second) = (digits(8, 2), digits(11, 2), digits(14, 2), digits(17, 2))
        let milliseconds = digits(20, 3)
        guard isValid, text[4] == 45, text[7] == 45, text[10] == 84, text[13] == 58, text[16] == 58, text[19] == 46,
            month >= 1, month <= 12, day >= 1, day <= 31, hour < 24, minute < 60, second < 60
        else { return nil }
        if month <= 2 { (year, month) = (year - 1, month + 12) }
        let dayOfYear = (153 * (month - 3) + 2) / 5 + day - 1
        let days = year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - daysTo2001
        let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
        return Date(timeIntervalSinceReferenceDate: Double(seconds * 1000 + milliseconds) / 1000)
    }

    @inline(__always)
    static func format(_ date: Date, _ text: UnsafeMutablePointer<UInt8>) {
        let total = Int((date.timeIntervalSinceReferenceDate * 1000).rounded()) + daysTo2001 * 86_400_000
        let days = total / 86_400_000
        let rest = total % 86_400_000
        let era = days / 146_097
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        func put(_ number: Int, _ start: Int, _ count: Int, _ separator: UInt8?) {
            var rest = number
            for index in stride(from: start + count - 1, through: start, by: -1) {
                text[index] = UInt8(truncatingIfNeeded: 48 + rest % 10)
                rest /= 10
            }
            if let separator { text[start + count] = separator }
        }
        put(yearOfEra + era * 400 + (month <= 2 ? 1 : 0), 0, 4, 45)
        put(month, 5, 2, 45)
        put(dayOfYear - (153 * shifted + 2) / 5 + 1, 8, 2, 84)
        put(rest / 3_600_000, 11, 2, 58)
        put(rest / 60_000 % 60, 14, 2, 58)
        put(rest / 1000 % 60, 17, 2, 46)
        put(rest % 1000, 20, 3, nil)
    }
}
