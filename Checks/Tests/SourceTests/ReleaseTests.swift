import Testing

/// The version of the library, the changelog and the lists of the release say the same.
struct ReleaseTests {
    /// The sections of the changelog: their headings, and whether they have text.
    private static func sections() throws -> [(heading: String, hasText: Bool)] {
        try Repository.file("CHANGELOG.md").text.components(separatedBy: "\n## ").dropFirst().map { section in
            let lines = section.split(separator: "\n")
            return (String(lines[0]), lines.count > 1)
        }
    }

    @Test func theVersionIsTheNewestOfTheChangelog() throws {
        let sections = try Self.sections()
        try #require(sections.count >= 2 && sections[0].heading == "Unreleased")
        let release = sections[1].heading
        let source = try Repository.file("Sources/Squall/Connection/Settings/SquallVersion.swift").text
        let version = String(try #require(source.firstMatch(of: /current = "([^"]+)"/)).output.1)
        if sections[0].hasText {
            #expect(
                version.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+-dev/) != nil && version != release + "-dev", "\(version)"
            )
        } else {
            #expect(version == release)
        }
        #expect(try Repository.file("README.md").text.contains("The newest release is \(release)"))
    }

    @Test func theReleaseHasAListOfEachProduct() {
        let lists = Repository.files(in: "API", ".txt").map(\.path)
        let released = lists.filter { $0.hasPrefix("API/Released/") }.map { $0.replacing("/Released", with: "") }
        #expect(released.count >= 13)
        #expect(released.filter { !lists.contains($0) } == [])
    }
}
