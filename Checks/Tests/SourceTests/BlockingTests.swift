import Foundation
import Testing

/// Each verb that suspends has a twin of the same name in `blocking`, and nowhere else.
struct BlockingTests {
    /// The names of the functions of a type in a list of public declarations, one for each declaration.
    private func functions(of type: String, in list: String, where isIncluded: (String) -> Bool) -> [String] {
        let lines = (try? Repository.file("API/\(list).txt"))?.lines ?? []
        return lines.filter { $0.hasPrefix("\(type) | ") && isIncluded($0) }
            .compactMap { $0.firstMatch(of: /func (\w+)/).map { String($0.1) } }.sorted()
    }

    @Test(arguments: [
        // A stream of chunks has no form that blocks.
        ("Database", "Squall", ["backup"], ["writeBlob", "writeBlob"]), ("ReadSnapshot", "Squall", [], []),
        ("UndoHistory", "SquallChanges", [], []),
    ]) func aVerbThatSuspendsHasATwin(_ type: String, _ list: String, _ sequences: [String], _ without: [String]) {
        var suspending = functions(of: type, in: list) { $0.contains(" async ") } + sequences
        for name in without { if let index = suspending.firstIndex(of: name) { suspending.remove(at: index) } }
        #expect(suspending.count > 0)
        #expect(functions(of: "\(type).Blocking", in: list) { _ in true } == suspending.sorted())
        #expect(functions(of: type, in: list) { $0.contains("noasync") } == [])
    }
}
