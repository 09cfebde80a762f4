#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Parts of dates in UTC, by SQLite's `strftime`. They read the forms of Squall: text, seconds or milliseconds since 1970, Julian days.

extension Expr where Value: StatementParameter, Value.ColumnBase == Date {
    /// `CAST(strftime('%Y', a) AS INTEGER)`
    public var year: Expr<Int?> { part("%Y") }

    /// `CAST(strftime('%m', a) AS INTEGER)`: from 1
    public var month: Expr<Int?> { part("%m") }

    /// `CAST(strftime('%d', a) AS INTEGER)`: the day of the month, from 1
    public var day: Expr<Int?> { part("%d") }

    /// `CAST(strftime('%H', a) AS INTEGER)`: from 0 to 23
    public var hour: Expr<Int?> { part("%H") }

    /// `CAST(strftime('%M', a) AS INTEGER)`
    public var minute: Expr<Int?> { part("%M") }

    /// `CAST(strftime('%S', a) AS INTEGER)`: whole seconds
    public var second: Expr<Int?> { part("%S") }

    /// `CAST(strftime('%w', a) AS INTEGER)`: from 0, which is Sunday, to 6
    public var weekday: Expr<Int?> { part("%w") }

    /// `CAST(strftime('%j', a) AS INTEGER)`: from 1 to 366
    public var dayOfYear: Expr<Int?> { part("%j") }

    /// `strftime(?, a)`: `%Y-%m` gives `2026-11`; NULL for NULL and for a format that SQLite does not know
    public func formatted(_ format: String) -> Expr<String?> {
        Expr<String?>(atom: "strftime(\(format), \(timeValue))")
    }

    private func part(_ format: String) -> Expr<Int?> {
        Expr<Int?>(atom: "CAST(strftime('\(raw: format)', \(timeValue)) AS INTEGER)")
    }

    /// The arguments that SQLite's date functions need for the form of the column.
    private var timeValue: SQL {
        switch form?.name {
        case nil, "julianDay": sql
        case "unixTime": sql + ", 'unixepoch'"
        case "unixMilliseconds": operand + " / 1000.0, 'unixepoch'"
        case _?: plain
        }
    }
}
