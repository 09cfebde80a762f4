import Foundation

/// How many rounds the tests with random steps have.
enum Rounds {
    private static let areAll = ProcessInfo.processInfo.environment["SQUALL_ROUNDS"] == "all"

    /// Returns a fifth, under a sanitizer a twentieth, and with `SQUALL_ROUNDS=all` all of a number.
    static func of(_ all: Int) -> Int { areAll ? all : Sanitizers.areInUse ? all / 20 : all / 5 }
}
