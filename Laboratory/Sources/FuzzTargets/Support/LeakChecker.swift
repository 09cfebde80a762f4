import Foundation

/// The leak checker of the address sanitizer, if the process has it.
enum LeakChecker {
    private typealias Switch = @convention(c) () -> Void

    /// Runs a closure whose allocations are not reported as leaks.
    ///
    /// Suppressions by the name of a function do not work for SQLite: the leak checker cannot follow its stack.
    static func ignoring(_ body: () throws -> Void) rethrows {
        call("__lsan_disable")
        defer { call("__lsan_enable") }
        try body()
    }

    private static func call(_ name: String) {
        guard let symbol = dlsym(UnsafeMutableRawPointer(bitPattern: 0), name) else { return }
        unsafeBitCast(symbol, to: Switch.self)()  // the C function with that signature
    }
}
