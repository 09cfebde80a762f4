import Foundation

/// The number of rounds of the tests with random steps.
package enum Rounds {
    private static let areAll = ProcessInfo.processInfo.environment["SQUALL_ROUNDS"] == "all"

    /// Returns a fifth, under a sanitizer a twentieth, and with `SQUALL_ROUNDS=all` all of a number.
    package static func of(_ all: Int) -> Int { areAll ? all : Sanitizers.areInUse ? all / 20 : all / 5 }
}
