/// The share of the work that the rows do. Callgrind takes 50 times as long as the processor, and needs no more than a
/// twentieth: what it counts does not vary.
enum Scale {
    // Set once, before the first row.
    nonisolated(unsafe) static var divisor = 1
}

/// Returns a number of records or calls on the scale of this process.
func scaled(_ count: Int) -> Int { max(1, count / Scale.divisor) }
