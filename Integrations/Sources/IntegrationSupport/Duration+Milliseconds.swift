extension Duration {
    /// The duration in milliseconds, with three digits after the point.
    package var milliseconds: String {
        let microseconds = Int64(clamping: Int128(self / .microseconds(1)))
        let digits = String(microseconds.magnitude % 1_000)
        return "\(microseconds / 1_000).\(String(repeating: "0", count: 3 - digits.count))\(digits)"
    }
}
