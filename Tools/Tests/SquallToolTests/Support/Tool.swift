import Foundation
import Testing

/// What a process has printed, and how it ended.
struct Outcome: Equatable {
    var output = ""
    var error = ""
    var exitCode: Int32 = 0
}

/// The tool, run as users run it.
enum Tool {
    /// The executable, which SwiftPM builds next to the tests.
    static let executable: URL = {
        final class Marker {}
        // A bundle on Apple platforms, the folder of the executable on others.
        let bundle = Bundle(for: Marker.self).bundleURL
        let folder = bundle.pathExtension == "xctest" ? bundle.deletingLastPathComponent() : bundle
        return folder.appendingPathComponent("squall")
    }()

    /// Runs the tool.
    static func run(
        _ arguments: String..., input: Data? = nil, environment: [String: String] = [:], in directory: URL? = nil
    ) async throws -> Outcome {
        try await ProcessLimit.shared.run {
            let process = process(executable, arguments, environment)
            process.currentDirectoryURL = directory
            return try await finish(process, input: input)
        }
    }

    /// Runs a command line in which `$SQUALL` is the tool.
    static func shell(_ command: String, _ arguments: [String] = []) async throws -> Outcome {
        try await ProcessLimit.shared.run {
            try await finish(
                process(
                    URL(fileURLWithPath: "/bin/sh"), ["-c", command, "sh"] + arguments, ["SQUALL": executable.path])
            )
        }
    }

    /// A process that has not been started, with the settings of whoever runs the tests taken out.
    static func process(_ executable: URL, _ arguments: [String], _ environment: [String: String]) -> Process {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        var variables = ProcessInfo.processInfo.environment
        for name in ["NO_COLOR", "FORCE_COLOR", "COLUMNS"] { variables[name] = nil }
        // Where the locale is not one of UTF-8, the output still is UTF-8.
        variables["LC_ALL"] = "C"
        variables["TERM"] = "xterm"
        process.environment = variables.merging(environment) { $1 }
        return process
    }

    /// Starts a process that no signal is kept from: those that the thread of a test blocks, it would inherit.
    static func start(_ process: Process) throws {
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try process.run()
    }

    static func finish(_ process: Process, input: Data? = nil) async throws -> Outcome {
        let (output, error) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = error
        process.standardInput = FileHandle.nullDevice
        let source = input.map { _ in Pipe() }
        if let source { process.standardInput = source }
        let (ends, end) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { end.yield($0.terminationStatus) }
        try start(process)
        // Both pipes are read while the process runs: it would wait for ever once one of them is full.
        async let printed = contents(of: output)
        async let complained = contents(of: error)
        if let input, let source {
            try source.fileHandleForWriting.write(contentsOf: input)
            try source.fileHandleForWriting.close()
        }
        let exitCode = try #require(await ends.first { _ in true })
        defer {
            // Foundation keeps them for longer than the process. With more than about 1,300 open files, `Process.run` reads
            // beyond the list of them, and the tests crash (Swift 6.3.1).
            for pipe in [output, error] { try? pipe.fileHandleForReading.close() }
        }
        return Outcome(
            output: try #require(String(data: await printed, encoding: .utf8)),
            error: try #require(String(data: await complained, encoding: .utf8)),
            exitCode: exitCode
        )
    }

    private static func contents(of pipe: Pipe) async -> Data {
        let handle = pipe.fileHandleForReading
        return await withCheckedContinuation { continuation in
            // Not on a thread of the tests', of which there may be as few as two.
            DispatchQueue.global().async {
                continuation.resume(returning: (try? handle.readToEnd()) ?? Data())
            }
        }
    }
}

/// Expects all that a process has printed, and how it ended; without more, that it printed nothing and succeeded.
func expect(
    _ outcome: Outcome, prints output: String = "", fails error: String = "", exitCode: Int32 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(outcome == Outcome(output: output, error: error, exitCode: exitCode), sourceLocation: sourceLocation)
}
