import Foundation

/// A run of a program in another process: of this executable, unless another one is given.
struct ChildProcess {
    /// The output of the process, without the line break.
    let output: String
    /// The time from before the process was started until it has ended.
    let nanoseconds: UInt64

    /// - Parameter environment: The whole environment of the process; that of this one if it is `nil`.
    init(
        _ arguments: [String], executable: String = CommandLine.arguments[0], environment: [String: String]? = nil
    ) throws {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        if let environment { process.environment = environment }
        process.standardOutput = pipe
        let start = Clock.wall.now
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        nanoseconds = Clock.wall.now - start
        process.waitUntilExit()
        output = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
        guard process.terminationStatus == 0 else { throw Failure("\(arguments) has failed: \(output)") }
    }
}
