/// The rows around the current one that a window function sees: `.rows(from: .preceding(2))`.
///
///     $0.price.sum().over(
///         order: $0.day.ascending, frame: .rows(from: .preceding(2), to: .following(1)))
///     // sum("sales"."price") OVER (ORDER BY … ROWS BETWEEN ? PRECEDING AND ? FOLLOWING)
public struct WindowFrame: Sendable {
    /// The rows that a frame leaves out.
    public enum Exclusion: Sendable {
        /// `EXCLUDE CURRENT ROW`
        case currentRow
        /// `EXCLUDE GROUP`: the current row, and those that are equal to it in the order.
        case group
        /// `EXCLUDE TIES`: the rows that are equal to the current one in the order, but not the current row.
        case ties

        fileprivate var sql: SQL {
            switch self {
            case .currentRow: " EXCLUDE CURRENT ROW"
            case .group: " EXCLUDE GROUP"
            case .ties: " EXCLUDE TIES"
            }
        }
    }

    /// The first or the last row of a frame.
    public struct Bound: Sendable {
        let sql: SQL

        /// `UNBOUNDED PRECEDING`
        public static var unboundedPreceding: Bound { Bound(sql: "UNBOUNDED PRECEDING") }
        /// `CURRENT ROW`
        public static var currentRow: Bound { Bound(sql: "CURRENT ROW") }
        /// `UNBOUNDED FOLLOWING`
        public static var unboundedFollowing: Bound { Bound(sql: "UNBOUNDED FOLLOWING") }

        /// `? PRECEDING`: a number of rows or groups, or a difference of the value in a range.
        public static func preceding(_ distance: some Bindable & Numeric) -> Bound {
            Bound(sql: "\(distance) PRECEDING")
        }

        /// `? FOLLOWING`: a number of rows or groups, or a difference of the value in a range.
        public static func following(_ distance: some Bindable & Numeric) -> Bound {
            Bound(sql: "\(distance) FOLLOWING")
        }
    }

    let sql: SQL

    /// `ROWS BETWEEN … AND …`: counts rows.
    public static func rows(from first: Bound, to last: Bound = .currentRow) -> WindowFrame {
        WindowFrame(sql: "ROWS BETWEEN \(first.sql) AND \(last.sql)")
    }

    /// `RANGE BETWEEN … AND …`: compares the values of the order.
    public static func range(from first: Bound, to last: Bound = .currentRow) -> WindowFrame {
        WindowFrame(sql: "RANGE BETWEEN \(first.sql) AND \(last.sql)")
    }

    /// `GROUPS BETWEEN … AND …`: counts groups of rows that are equal in the order.
    public static func groups(from first: Bound, to last: Bound = .currentRow) -> WindowFrame {
        WindowFrame(sql: "GROUPS BETWEEN \(first.sql) AND \(last.sql)")
    }

    /// `… EXCLUDE CURRENT ROW`
    public func excluding(_ rows: Exclusion) -> WindowFrame { WindowFrame(sql: sql + rows.sql) }
}
