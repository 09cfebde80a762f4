#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A time in whole milliseconds since 1970, as the column `expires_at` has it.
struct Instant: Sendable {
    let milliseconds: Int64

    /// The millisecond that contains a date. Dates that are too far away become the first or the last millisecond.
    init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded(.down)
        self.milliseconds = Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
    }

    /// The time after a duration, which is rounded up to milliseconds. The value of a sum that does not fit is the
    /// first or the last millisecond. `nil` for no duration.
    func advanced(by duration: Duration?) -> Int64? {
        guard let duration else { return nil }
        let (seconds, attoseconds) = duration.components
        let perMillisecond: Int64 = 1_000_000_000_000_000
        // The parts have the same sign, and the division rounds towards zero.
        let rest = attoseconds / perMillisecond + (attoseconds % perMillisecond > 0 ? 1 : 0)
        let (whole, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000)
        let limit: Int64 = seconds < 0 ? .min : .max
        if isTooLarge { return limit }
        let (length, isTooLong) = whole.addingReportingOverflow(rest)
        if isTooLong { return limit }
        let (sum, isTooFar) = milliseconds.addingReportingOverflow(length)
        return isTooFar ? limit : sum
    }

    func duration(to other: Int64) -> Duration {
        .milliseconds(other) - .milliseconds(milliseconds)
    }
}
