import Foundation
import Testing

/// The rules of style that can be searched for.
struct StyleTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The Swift files of the library: path and text.
    private static let files: [(path: String, text: String)] = {
        let sources = root.appending(path: "Sources")
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: sources.path)) ?? []
        return paths.filter { $0.hasSuffix(".swift") }.compactMap { path in
            (try? String(contentsOf: sources.appending(path: path), encoding: .utf8)).map { (path, $0) }
        }
    }()

    @Test func noFileHasMoreThan400Lines() {
        #expect(Self.files.count > 200)
        for (path, text) in Self.files {
            #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 401, "\(path)")
        }
    }

    @Test func noFolderHasMoreThan20Files() {
        let folders = Dictionary(grouping: Self.files) { ($0.path as NSString).deletingLastPathComponent }
        for (folder, files) in folders {
            #expect(files.count <= 20, "\(folder) has \(files.count)")
        }
    }

    /// SQLite folds the case of ASCII letters alone: names are compared as `Identifier`. Names of Swift are something else.
    @Test func namesAreNotComparedInLowerCase() {
        for (path, text) in Self.files where !path.contains("SquallSQLFiles/Swift/") {
            let code = text.replacing(/\/\/.*/, with: "").replacing("func lowercased()", with: "")
            #expect(!code.contains("lowercased()"), "\(path)")
        }
    }

    @Test func namesAreTheTermsOfTheField() {
        for (path, text) in Self.files {
            #expect(text.firstMatch(of: /\b(?:Lender|Seat|ParkingLot|FileWatch|CSQLite)\b/) == nil, "\(path)")
        }
    }

    @Test func commentsArePlainEnglish() {
        let patterns: [(Regex<Substring>, String)] = [
            (/\/\/\/ (?:What|The same|Whether nobody|Whether somebody)\b.*/, "a summary is a verb or a noun"),
            (/\/\/.*\banew\b.*/, "again, or re-"),
            (/\/\/.*\b(?:is|are) no (?!longer|more|other)[a-z]+\b.*/, "is not a"),
            (/\/\/\/?.*\bcodes? \d+\b.*/, "the name of a result code first"),
            (/\/\/ \(.*\)\.?\n/, "a comment in parentheses"),
        ]
        for (path, text) in Self.files {
            for (pattern, rule) in patterns {
                let found = text.matches(of: pattern).map { String($0.0) }
                #expect(found.filter { !$0.contains(/[Tt]here (?:is|are) no/) } == [], "\(path): \(rule)")
            }
        }
    }
}
