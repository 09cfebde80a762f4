import Foundation
import Testing

/// The rules of style that can be searched for.
struct StyleTests {
    /// The Swift files of the library.
    private static let files = Repository.files(in: "Sources", ".swift")

    /// `print` of the standard library does not notice that its output is full.
    @Test func theToolPrintsThroughItsOutput() {
        let files = Repository.files(in: "Tools/Sources", ".swift")
        #expect(files.count > 100)
        for file in files {
            // A function of the tool with that name throws, and so `try` or `func` precedes it.
            for line in file.code.split(separator: "\n")
            where line.contains(/(?:^|[^.\w])(?:print|debugPrint|dump|puts)\(/) {
                #expect(line.contains("try ") || line.contains("func "), "\(file.path): \(line)")
            }
            #expect(
                !file.code.contains("Swift.print(") && !file.code.contains("FileHandle.standardOutput"), "\(file.path)")
        }
    }

    @Test func noFileHasMoreThan400Lines() {
        #expect(Self.files.count > 200)
        for file in Self.files {
            #expect(file.lines.count <= 401, "\(file.path)")
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
        for file in Self.files where !file.path.contains("SquallSQLFiles/Swift/") {
            let code = file.code.replacing("func lowercased()", with: "")
            #expect(!code.contains("lowercased()"), "\(file.path)")
        }
    }

    @Test func namesAreTheTermsOfTheField() {
        for file in Self.files {
            #expect(file.text.firstMatch(of: /\b(?:Lender|Seat|ParkingLot|FileWatch|CSQLite)\b/) == nil, "\(file.path)")
        }
    }

    @Test func commentsArePlainEnglish() {
        let patterns: [(Regex<Substring>, String)] = [
            (/\/\/\/ (?:What|The same|Whether nobody|Whether somebody)\b.*/, "a summary is a verb or a noun"),
            (/\/\/.*\banew\b.*/, "again, or re-"),
            (/\/\/.*\b(?:is|are) no [a-z]+\b.*/, "is not a"),
            (/\/\/.*\bof (?:its|their|your) own\b.*/, "name the owner"),
            (/\/\/.*\b(?:[Nn]obody|[Ss]omebody|[Ww]hoever)\b.*/, "name the actor: a connection, a thread, a task"),
            (/\/\/.*\bSQLite (?:says|asks|knows|hears|answers)\b.*/, "SQLite returns, reports, requires"),
            (/\/\/\/?.*\bcodes? \d+\b.*/, "the name of a result code first"),
            (/\/\/ \(.*\)\.?\n/, "a comment in parentheses"),
        ]
        for file in Self.files + Repository.files(in: "Tools/Sources", ".swift") {
            for (pattern, rule) in patterns {
                #expect(file.text.matches(of: pattern).map { String($0.0) } == [], "\(file.path): \(rule)")
            }
        }
    }
}
