import CExtensions
import Foundation

/// One side of a row: work that is timed, and what is done around it that is not.
struct Cell {
    struct Measurement {
        let nanoseconds: UInt64
        let checksum: Checksum
    }

    let run: (Clock) throws -> Measurement

    /// - Parameters:
    ///   - before: Makes what the work needs anew each time, a fresh file for example. Not timed.
    ///   - work: What is timed.
    ///   - check: Sums up what the work has done. Not timed; the result of the work is freed after it, so not timed either.
    init<Context, Result>(
        before: @escaping () throws -> Context,
        work: @escaping (Context) throws -> Result,
        check: @escaping (Context, Result) throws -> Checksum
    ) {
        run = { clock in
            let context = try before()
            var result: Result?
            let nanoseconds = try clock.measure { result = try work(context) }
            guard let result else { throw Failure("no result") }
            return Measurement(nanoseconds: nanoseconds, checksum: try check(context, result))
        }
    }

    /// Work that leaves everything as it was, and returns what it has read.
    init<Result>(_ work: @escaping () throws -> Result, check: @escaping (Result) -> Checksum) {
        self.init(before: {}, work: { try work() }, check: { check($1) })
    }

    /// Work that measures itself, and returns the nanoseconds.
    init(measuring work: @escaping () throws -> UInt64) {
        run = { _ in Measurement(nanoseconds: try work(), checksum: Checksum()) }
    }

    init<Element: Summable>(_ work: @escaping () throws -> [Element]) {
        self.init(work, check: { Checksum($0) })
    }

    init(_ work: @escaping () throws -> Int) {
        self.init(work, check: { Checksum($0) })
    }

    init(_ work: @escaping () throws -> Double) {
        self.init(work, check: { Checksum($0) })
    }
}

/// Wall time, or the time that the threads of the process were running, which other processes disturb less.
enum Clock: String {
    case wall, cpu
    /// Wall time. Callgrind, started with `--instr-atstart=no`, counts the instructions of what is timed, and of nothing else.
    case callgrind

    /// The time in nanoseconds.
    var now: UInt64 {
        nanoseconds(self == .cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC)
    }

    func measure(_ work: () throws -> Void) rethrows -> UInt64 {
        let start = now
        if self == .callgrind { ccallgrind_start() }
        defer { if self == .callgrind { ccallgrind_stop() } }
        try work()
        return now - start
    }
}

private func nanoseconds(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// What stops the benchmark.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
