import Foundation

@testable import SquallCluster

/// A random number generator whose numbers follow from its seed.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
    }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_f491_4f6c_dd1d
    }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }

    mutating func text() -> String {
        String((0..<number(0..<20)).map { _ in "aé✓😀 '\"".randomElement(using: &self) ?? "a" })
    }

    mutating func value() -> WireValue {
        switch WireValueType.allCases.randomElement(using: &self) ?? .null {
        case .integer: .integer(Int64(bitPattern: next()))
        case .real: .real(Double(number(-1_000..<1_000)) / 8)
        case .text: .text(text())
        case .blob: .blob(Data((0..<number(0..<30)).map { _ in UInt8(truncatingIfNeeded: next()) }))
        case .null: .null
        case .unixTime: .unixTime(Int64(number(0..<1 << 40)))
        case .iso8601: .iso8601(text())
        case .boolean: .boolean(Int64(number(0..<2)))
        }
    }
}

/// The seed of a test with random choices. It is fixed, so that each run makes the same choices.
///
/// `SQUALL_SEED=7` sets it for all tests, and `SQUALL_SEED=random` draws one for the process.
enum TestSeed {
    private static let given: UInt64? = {
        let text = ProcessInfo.processInfo.environment["SQUALL_SEED"]
        return text == "random" ? UInt64.random(in: 1..<1_000_000_000) : text.flatMap { UInt64($0) }
    }()

    /// Returns the seed of the calling test, and prints it, so that a failure can be repeated.
    static func of(file: String = #fileID, function: String = #function) -> UInt64 {
        let seed = given ?? 1
        print("Seed \(seed) of \(file) \(function)")
        return seed
    }
}
