extension Duration {
    /// The duration in milliseconds, with three digits after the point.
    package var inMilliseconds: String {
        let microseconds = nanoseconds / 1_000
        let digits = String(microseconds % 1_000)
        return "\(microseconds / 1_000).\(String(repeating: "0", count: 3 - digits.count))\(digits)"
    }

    /// The duration in nanoseconds, at least 0 and at most `Int64.max`, which is 292 years.
    package var nanoseconds: UInt64 {
        let (seconds, attoseconds) = min(max(self, .zero), .nanoseconds(Int64.max)).components
        return UInt64(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
