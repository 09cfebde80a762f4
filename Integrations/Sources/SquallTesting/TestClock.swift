import Foundation
import IntegrationSupport

/// A clock that stands still until it is advanced, for Swift and for SQLite's date functions.
///
///     let clock = TestClock(at: noon)
///     let database = try Database(":memory:") { try clock.install(on: $0) }
///     // In SQL, datetime('now') and CURRENT_TIMESTAMP are noon.
///     clock.advance(by: .seconds(60))
///     // One minute past noon.
///
/// Its times are whole milliseconds, as SQLite's are. It can be used by several threads at the same time.
public final class TestClock: Sendable {
    /// The time since 1970.
    private let time: Locked<Duration>

    /// Makes a clock that stands still at a date, rounded to the nearest millisecond.
    public init(at date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        // A date that is not a number, or is beyond the years that SQLite has, is the nearest that fits.
        time = Locked(.milliseconds(Int64(milliseconds.isNaN ? 0 : min(max(milliseconds, -1e15), 1e15))))
    }

    /// The time of the clock, in whole milliseconds.
    public var now: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

    /// A function that returns the time, for code that takes one in place of `Date()`.
    ///
    ///     let library = Library(now: clock.date)
    public var date: @Sendable () -> Date { { self.now } }

    /// Moves the clock forward, or back by a negative duration. Fractions of milliseconds add up.
    public func advance(by duration: Duration) {
        let limit = Duration.seconds(1_000_000_000_000)
        time.withLock { $0 = min(max($0 + min(max(duration, .zero - limit), limit), .zero - limit), limit) }
    }

    /// The milliseconds since 1970, rounded down.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = time.withLock { $0 }.components
        let (thousandths, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
        return seconds * 1000 + thousandths - (rest < 0 ? 1 : 0)
    }
}
