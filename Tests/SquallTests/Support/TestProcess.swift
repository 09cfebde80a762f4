import Foundation

/// The program of the target TestProcess, running.
final class TestProcess {
    private let process = Process()
    private let output = Pipe()

    init(_ arguments: [String]) throws {
        process.executableURL = Self.products.appending(path: "TestProcess")
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
    }

    func kill() {
        _ = Foundation.kill(process.processIdentifier, SIGKILL)
    }

    /// The first bytes that it writes, once there are some.
    func firstOutput() -> String {
        String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    }

    /// All that it writes, and its exit code, once it has ended.
    func end() throws -> (output: String, code: Int32) {
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (String(decoding: data, as: UTF8.self), process.terminationStatus)
    }

    private static var products: URL {
        let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
        return tests?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    }
}
