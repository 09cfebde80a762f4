import Foundation
import Testing

@testable import SquallSQLFiles

/// The SQL of the article "SQL in files".
struct DocumentationFilesTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let folder = root.appending(path: "Tests/DocumentationTests").path

    @Test func theGeneratedFilesAreCurrent() throws {
        let files = try CheckedFiles(folder: "\(Self.folder)/SQL").swift(below: "\(Self.folder)/SQL").files
        #expect(GeneratedFolder("\(Self.folder)/Generated").differences(from: files).map(\.description) == [])
    }

    @Test func theBlocksAreInTheFiles() throws {
        let article = try String(
            contentsOf: Self.root.appending(path: "Sources/Squall/Squall.docc/Guides/SQLInFiles.md"), encoding: .utf8)
        let folder = SQLFolder(path: "\(Self.folder)/SQL")
        let texts = folder.history.map(\.source.text) + folder.queryFiles.map(\.text)
        let queries = texts.flatMap { $0.components(separatedBy: "\n\n") }.map(\.trimmed)
        let blocks = article.components(separatedBy: "```sql\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
        #expect(blocks.count > 4)
        for part in blocks.flatMap({ $0.components(separatedBy: "\n\n") }) {
            #expect(queries.contains(part.trimmed), "\(part)")
        }
    }
}
