import Foundation

/// Counts the instructions of one side of a row, in a process under callgrind.
///
/// The counts depend neither on other processes nor on the machine, as far as its processor has the same instructions.
struct InstructionCounter {
    /// The work of a row that is counted is one part in so many of what is timed.
    static let scale = 20

    let instructions: Int
    /// The checksum of what the side has done.
    let checksum: String

    /// - Parameter folder: A folder for the files of the process, whose content is lost.
    init(_ row: Benchmark, _ side: Benchmark.Side, in folder: URL) throws {
        try? FileManager.default.removeItem(at: folder)
        // Makes the files that the sides read, which would take ten times as long in the other process.
        _ = try row.cells(Fixtures(folder: folder.path))
        let log = folder.appending(path: "callgrind.log").path
        let process = try ChildProcess(
            [
                "valgrind", "--tool=callgrind", "--instr-atstart=no", "--callgrind-out-file=/dev/null",
                "--log-file=\(log)",
                CommandLine.arguments[0], "--profile", row.name, side.rawValue, "1", "--scale", "\(Self.scale)",
                "--files", folder.path,
            ],
            executable: "/usr/bin/env", environment: Self.environment)
        let output = try String(contentsOfFile: log, encoding: .utf8)
        guard
            let line = output.split(separator: "\n").last(where: { $0.contains("Collected :") }),
            let count = line.split(separator: " ").last.flatMap({ Int($0) })
        else { throw Failure("\(row.name), \(side): callgrind has counted nothing:\n\(output)") }
        guard count > 0 else {
            throw Failure("\(row.name) measures itself, and callgrind cannot count it: leave it out")
        }
        instructions = count
        checksum = process.output
    }

    /// The environment of all processes: the stack begins with it, so that other variables would move what is counted.
    private static let environment: [String: String] = {
        var environment = ["SWIFT_DETERMINISTIC_HASHING": "1", "GLIBC_TUNABLES": commonProcessor]
        for name in ["PATH", "LD_LIBRARY_PATH"] { environment[name] = ProcessInfo.processInfo.environment[name] }
        return environment
    }()

    /// Lets the C library copy and compare bytes as on any x86-64 processor: valgrind counts a byte of `rep movsb` as one
    /// instruction, and newer processors copy 32 bytes at a time.
    private static let commonProcessor = "glibc.cpu.hwcaps=-AVX2,-AVX512F,-AVX512VL,-ERMS,-FSRM"
}
