import Foundation

/// A run of this executable in another process.
struct ChildProcess {
    /// The output of the process, without the line break.
    let output: String
    /// The time from before the process was started until it has ended.
    let nanoseconds: UInt64

    init(_ arguments: [String]) throws {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = arguments
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
