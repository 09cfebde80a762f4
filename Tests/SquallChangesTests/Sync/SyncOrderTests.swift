import Foundation
import Testing

import Squall

@testable import SquallChanges

/// The order of values by which all replicas choose the same winner.
struct SyncOrderTests {
    /// Smaller values first. An integer beyond 2^53 is not equal to the REAL that it would be converted to.
    private static let values: [BindingValue] = [
        .null, .real(-.infinity), .real(-0x1p63 * 2), .integer(.min), .integer(-3), .real(-2.5), .integer(-2),
        .integer(2),
        .real(2.5), .integer(3), .integer(9_007_199_254_740_992), .integer(9_007_199_254_740_993),
        .real(9_007_199_254_740_994), .integer(.max), .real(0x1p63), .real(.infinity), .text(""), .text("Z"),
        .text("a"),
        .text("ä"), .blob(Data()), .blob(Data([1])), .blob(Data([1, 0])), .blob(Data([2])),
    ]

    @Test func eachValueIsLessThanTheNextOnes() {
        for (left, value) in Self.values.enumerated() {
            for (right, other) in Self.values.enumerated() {
                #expect(SyncOrder.isLess(value, other) == (left < right), "\(value) \(other)")
            }
        }
    }

    @Test func equalNumbersOfBothTypes() {
        for (integer, real) in [(2, 2.0), (Int64.min, -0x1p63), (9_007_199_254_740_992, 9_007_199_254_740_992.0)] {
            #expect(!SyncOrder.isLess(.integer(integer), .real(real)))
            #expect(!SyncOrder.isLess(.real(real), .integer(integer)))
        }
    }

    @Test func keysOfEqualNumbersAreOneKey() {
        let key = RowKey([.integer(1), .text("a"), .null], [true, true, false])
        #expect(key == RowKey([.real(1), .text("a"), .integer(2)], [true, true, false]))
        #expect(key != RowKey([.real(1.5), .text("a"), .null], [true, true, false]))
        #expect(key != RowKey([.text("1"), .text("a"), .null], [true, true, false]))
    }
}
