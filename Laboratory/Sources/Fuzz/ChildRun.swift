import Foundation
import FuzzTargets

/// A process that fuzzes one target for some seconds.
struct ChildRun {
    private static let variable = "SQUALL_FUZZ_TARGET"
    /// What precedes the reason in the output of a process.
    private static let mark = "violation: "

    static var targetName: String? { ProcessInfo.processInfo.environment[variable] }

    /// Ends the process with the reason of a violation.
    static func fail(_ error: any Error) -> Never {
        FileHandle.standardError.write(Data("\n\(mark)\(String("\(error)".prefix(1500)).debugDescription)\n".utf8))
        abort()
    }

    /// The result of a process: the number of inputs, and the reason and the input of a violation.
    struct Outcome {
        var inputs = 0
        var violation: String?
    }

    let target: FuzzTarget
    let folders: FuzzFolders
    let seconds: Int
    let seed: UInt32

    func run() throws -> Outcome {
        let log = folders.log(of: target)
        try Data().write(to: log)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [
            "-max_total_time=\(seconds)", "-seed=\(seed)", "-max_len=\(target.longestInput)", "-timeout=20",
            "-rss_limit_mb=3000",
            "-print_final_stats=1", "-print_funcs=0", "-detect_leaks=0",
            "-artifact_prefix=\(folders.crashes.path)/\(target.name)-",
            folders.found(of: target).path, folders.corpus(of: target).path,
        ]
        var environment = ProcessInfo.processInfo.environment
        environment[Self.variable] = target.name
        // Swift's own report of a crash waits for libFuzzer's handler of signals, which waits for the report.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        // Leaks are looked for at the end of the process, and not after each input, which would take most of the time.
        environment["ASAN_OPTIONS"] = "quarantine_size_mb=64:malloc_context_size=8:detect_leaks=1"
        environment["LSAN_OPTIONS"] = "suppressions=\(folders.suppressions.path):print_suppressions=0"
        process.environment = environment
        let output = try FileHandle(forWritingTo: log)
        process.standardOutput = output
        process.standardError = output
        try process.run()
        process.waitUntilExit()
        let text = String(decoding: try Data(contentsOf: log), as: UTF8.self)
        return outcome(text, status: process.terminationStatus)
    }

    private func outcome(_ text: String, status: Int32) -> Outcome {
        var outcome = Outcome()
        var reason: String?
        var input: String?
        for line in text.split(separator: "\n") {
            if let count = line.value(after: "stat::number_of_executed_units:") { outcome.inputs = Int(count) ?? 0 }
            if line.hasPrefix("#"), let count = Int(line.dropFirst().prefix { $0.isNumber }), outcome.inputs < count {
                outcome.inputs = count
            }
            if reason == nil {
                reason =
                    line.value(after: Self.mark) ?? line.value(after: "Fatal error: ") ?? line.value(after: "ERROR: ")
            }
            if let file = line.value(after: "Test unit written to ") { input = file }
        }
        if status != 0 || reason != nil {
            outcome.violation =
                "\(reason ?? "the process ended with status \(status)") (seed \(seed), input \(input ?? "not kept"), "
                + "log \(folders.log(of: target).lastPathComponent))"
        }
        return outcome
    }
}

extension Substring {
    /// The text after a mark, without blanks around it.
    fileprivate func value(after mark: String) -> String? {
        range(of: mark).map { self[$0.upperBound...].trimmingCharacters(in: .whitespaces) }
    }
}
