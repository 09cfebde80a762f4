import Testing

/// The list of the tests whose files are not encrypted in a run of the encrypted suite.
struct PlainFilesTests {
    @Test func eachListedTestIsThere() throws {
        let list = try Repository.file("Tests/SquallTestSupport/PlainFiles.swift").code
        let entries = list.matches(of: /"(\w+)\/([^\/"]+)\/([^"]+)",/)
        #expect(entries.count > 50)
        for entry in entries {
            let (_, target, name, function) = entry.output
            let files = Repository.files(in: "Tests/\(target)", "/\(name).swift")
            let names = ["func \(function)(", "func `\(function)`("]
            let isThere = files.contains { file in names.contains { file.code.contains($0) } }
            #expect(isThere, "\(target)/\(name)/\(function)")
        }
    }

    @Test func theListIsSorted() throws {
        let list = try Repository.file("Tests/SquallTestSupport/PlainFiles.swift").code
        for kind in list.components(separatedBy: "case .").dropFirst() {
            let entries = kind.matches(of: /"(\w+\/[^"]+)",/).map { String($0.output.1) }
            #expect(entries == entries.sorted())
        }
    }
}
