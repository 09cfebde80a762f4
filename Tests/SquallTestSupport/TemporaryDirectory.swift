import EncryptedRun
import Foundation

/// A directory of its own for a test, removed with the value.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init() throws {
        let prefix = PlainFiles.isTest ? EncryptedRun.plainPrefix : "squall-"
        let url = FileManager.default.temporaryDirectory.appending(path: prefix + UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    package func file(_ name: String) -> String { path + "/" + name }
}
