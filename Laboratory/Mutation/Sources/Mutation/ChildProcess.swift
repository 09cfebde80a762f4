import Foundation

/// A program that runs until it ends or its time is over.
enum ChildProcess {
    enum Ending: Equatable {
        case exit(Int32)
        /// The program was stopped by a signal.
        case signal(Int32)
        case timeout
    }

    /// Runs a program, and writes its output to a file.
    static func run(
        _ arguments: [String], in folder: URL, environment: [String: String] = [:], output: URL,
        timeout: Double = 7200
    ) throws -> Ending {
        FileManager.default.createFile(atPath: output.path, contents: nil)
        let handle = try FileHandle(forWritingTo: output)
        defer { try? handle.close() }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = handle
        process.standardError = handle
        process.standardInput = FileHandle.nullDevice
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
        if ended.wait(timeout: .now() + timeout) == .timedOut {
            kill(process.processIdentifier, SIGKILL)
            ended.wait()
            return .timeout
        }
        return process.terminationReason == .uncaughtSignal
            ? .signal(process.terminationStatus) : .exit(process.terminationStatus)
    }
}
