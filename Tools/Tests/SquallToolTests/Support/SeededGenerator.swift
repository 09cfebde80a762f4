import Foundation

/// SplitMix64: the same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: Int) {
        state = UInt64(truncatingIfNeeded: seed)
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    mutating func pick(_ list: [String]) -> String { list.randomElement(using: &self) ?? "" }
}

/// The seeds of a test with random choices. They are fixed, so that each run makes the same choices.
///
/// `SQUALL_SEED=7` sets the first one of all tests, and `SQUALL_SEED=random` draws it for the process.
enum TestSeed {
    private static let given: Int? = {
        let text = ProcessInfo.processInfo.environment["SQUALL_SEED"]
        return text == "random" ? Int.random(in: 1..<1_000_000_000) : text.flatMap { Int($0) }
    }()

    /// Returns seeds for the cases of a test, and prints the first one, so that a failure can be repeated.
    static func list(_ count: Int, of name: String) -> [Int] {
        let first = given ?? 1
        print("Seed \(first) of \(name)")
        return (0..<count).map { first + $0 * 1_000_003 }
    }
}
