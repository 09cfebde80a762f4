import Foundation
import Testing

@testable import SquallSQLFiles

struct GeneratedFolderTests {
    private let folder = GeneratedFolder(
        FileManager.default.temporaryDirectory.appendingPathComponent("squall-\(UUID())").path)
    private let file = GeneratedFile(name: "a.sql.swift", origin: " from a.sql", [["let a = 1"]])

    private func modified(_ name: String) throws -> Date? {
        try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")[.modificationDate] as? Date
    }

    private func write(_ text: String, to name: String) throws {
        try text.write(toFile: "\(folder.path)/\(name)", atomically: true, encoding: .utf8)
    }

    @Test func aFileOfTheSameTextIsNotWrittenAgain() throws {
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        #expect(folder.differences(from: [file]) == [.missing(path: "\(folder.path)/a.sql.swift")])
        try folder.write([file])
        let old = Date(timeIntervalSince1970: 1_000_000)
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: "\(folder.path)/a.sql.swift")
        try folder.write([file])
        #expect(try modified("a.sql.swift") == old)
        try write(file.text + "// changed\n", to: "a.sql.swift")
        #expect(folder.differences(from: [file]) == [.changed(path: "\(folder.path)/a.sql.swift")])
        try folder.write([file])
        #expect(folder.differences(from: [file]).isEmpty)
    }

    @Test func aGeneratedFileWithoutAnSQLFileIsStale() throws {
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        try folder.write([file])
        try write("let other = 1\n", to: "Other.swift")
        #expect(folder.differences(from: []) == [.stale(path: "\(folder.path)/a.sql.swift")])
    }

    @Test func aFileOfSomebodyElseIsNotReplaced() throws {
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        try folder.write([])
        try write("let mine = 1\n", to: "a.sql.swift")
        #expect(throws: GeneratedFolder.ForeignFileError(path: "\(folder.path)/a.sql.swift")) {
            try folder.write([file])
        }
    }
}
