import Foundation
import Testing

/// The compiler, for generated sources that import this build of the library.
enum Compiler {
    /// The folder of the built modules; `nil` where SwiftPM has put them elsewhere.
    private static let modules: URL? = {
        let folder = Tool.executable.deletingLastPathComponent().appendingPathComponent("Modules")
        let module = folder.appendingPathComponent("Squall.swiftmodule")
        return FileManager.default.fileExists(atPath: module.path) ? folder : nil
    }()

    static let isThere = modules != nil && FileManager.default.isExecutableFile(atPath: "/usr/bin/env")

    /// Returns what the compiler prints for Swift files, which is nothing if they are right.
    static func check(_ files: [String]) async throws -> Outcome {
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../..").standardized
        let map = root.appendingPathComponent("Sources/SquallSQLite/module.modulemap").path
        let modules = try #require(modules)
        return try await Tool.shell(
            "/usr/bin/env swiftc -typecheck -swift-version 6 -parse-as-library -warnings-as-errors \"$@\" 2>&1",
            ["-I", modules.path, "-Xcc", "-fmodule-map-file=\(map)"] + files)
    }
}
