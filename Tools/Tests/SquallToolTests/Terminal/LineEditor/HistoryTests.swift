import Foundation
import Testing

@testable import SquallTool

@Suite struct HistoryTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("history")
    }

    @Test func textsAreKeptForTheNextSession() throws {
        var history = History(path: path)
        for text in ["select 1;", "select 1;", "  ", "select\n  'a\\n\\b'\n;", "select '漢🇩🇪';\n"] { history.add(text) }
        let entries = ["select 1;", "select\n  'a\\n\\b'\n;", "select '漢🇩🇪';"]
        #expect(history.entries == entries)
        #expect(History(path: path).entries == entries)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test func oldTextsAreForgotten() throws {
        let lines = (1...2500).map { "select \($0);\n" }.joined()
        try Data(lines.utf8).write(to: URL(fileURLWithPath: path))
        #expect(History(path: path).entries == (1501...2500).map { "select \($0);" })
        #expect(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count == 1000)
        #expect(History(path: path).entries.count == 1000)
        #expect(try directory.files() == ["history"])
    }

    @Test func aFileThatCannotBeWrittenToIsIgnored() {
        var history = History(path: directory.path("none/history"))
        history.add("select 1;")
        #expect(history.entries == ["select 1;"])
        #expect(History(path: nil).entries == [])
    }
}
