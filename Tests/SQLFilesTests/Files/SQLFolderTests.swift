import Foundation
import Testing

@testable import SquallSQLFiles

struct SQLFolderTests {
    /// Writes files into a folder `SQL`, and returns what `body` does with its path.
    private func folder<Result>(_ files: [String: [UInt8]], _ body: (String) throws -> Result) throws -> Result {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("squall-\(UUID())")
        defer { try? FileManager.default.removeItem(at: root) }
        let folder = root.appendingPathComponent("SQL")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, bytes) in files {
            let url = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: url)
        }
        return try body(folder.path)
    }

    private func folder<Result>(_ files: [String: String], _ body: (String) throws -> Result) throws -> Result {
        try folder(files.mapValues { Array($0.utf8) }, body)
    }

    /// The diagnostics as lines, with paths from the folder.
    private func lines(_ files: [String: [UInt8]]) throws -> [String] {
        try folder(files) { path in
            SQLFolder(path: path).diagnostics.map { $0.description.replacingOccurrences(of: "\(path)/", with: "") }
        }
    }

    private func lines(_ files: [String: String]) throws -> [String] { try lines(files.mapValues { Array($0.utf8) }) }

    // MARK: Files

    private static let sample = [
        "schema/10_c.sql": "c", "schema/002_b.sql": "b", "schema/1_a.sql": "a", "schema/notes.txt": "n",
        "schema/.001_x.sql": "x", "b.sql": "2", "a.sql": "1", "reports/z.sql": "3", "Z.sql": "0", ".hidden.sql": "h",
        ".git/a.sql": "g", "README.md": "r", "data.SQL": "d",
    ]

    @Test func filesAreTheHistoryOrQueries() throws {
        try folder(Self.sample) { path in
            let folder = SQLFolder(path: path)
            #expect(folder.diagnostics == [])
            #expect(folder.history.map(\.number) == [1, 2, 10])
            #expect(folder.history.map(\.source.text) == ["a", "b", "c"])
            #expect(folder.queryFiles.map(\.text) == ["0", "1", "2", "3"])
            #expect(folder.queryFiles.last?.path == "\(path)/reports/z.sql")
            #expect(folder.configuration == GeneratorConfiguration())
        }
    }

    @Test func aListOfFilesIsReadAsTheirFolder() throws {
        try folder(Self.sample) { path in
            let files = Self.sample.keys.map { "\(path)/\($0)" }
            for folder in [
                SQLFolder(files: files), SQLFolder(files: files.reversed()), SQLFolder(files: files, below: path),
                SQLFolder(files: files, below: "\(path)/"), SQLFolder(path: "\(path)/"),
            ] {
                #expect(
                    folder.history.map(\.source.path) == ["1_a", "002_b", "10_c"].map { "\(path)/schema/\($0).sql" })
                #expect(folder.queryFiles.map(\.text) == ["0", "1", "2", "3"])
                #expect(folder.diagnostics == [])
            }
        }
    }

    @Test func foldersAboveTheLastFolderSQLDoNotCount() {
        func kind(_ path: String, below folder: String? = nil) -> SQLPath.Kind { SQLPath(path, below: folder).kind }
        #expect(kind("/schema/.build/SQL/cars.sql") == .queries)
        #expect(kind("/SQL/schema/App/SQL/schema/1.sql") == .version)
        #expect(kind("/SQL/schema/App/SQL/cars.sql") == .queries)
        #expect(kind("./SQL/schema/1.sql") == .version)
        #expect(kind("SQL/reports/schema/1.sql") == .queries)
        #expect(kind("/app/schema/1.sql") == .version)
        #expect(kind("/schema/app/1.sql") == .queries)
        #expect(kind("/schema/app/schema/1.sql", below: "/schema/app") == .version)
        #expect(kind("/schema/app/SQL/schema/1.sql", below: "/schema/app") == .queries)
        #expect(kind("SQL/squall.json") == .settings)
        #expect(kind("SQL/schema/squall.json") == .nestedSettings)
        #expect(kind("SQL/schema/.1.sql") == .other)
        #expect(kind("SQL/.x/1.sql") == .other)
        #expect(kind("SQL/cars.sqlite") == .other)
    }

    @Test func aMissingFolderOrFileIsAnError() throws {
        #expect(
            SQLFolder(path: "/none/SQL").diagnostics.map(\.description)
                == ["/none/SQL:1:1: error: the folder cannot be read"])
        #expect(
            SQLFolder(files: ["/none/SQL/a.sql"]).diagnostics.map(\.description)
                == ["/none/SQL/a.sql:1:1: error: the file cannot be read: it does not exist"])
        try folder(["a.sql/b.sql": "1"]) { path in
            let folder = SQLFolder(path: path)
            #expect(folder.queryFiles.map(\.text) == ["1"])
            #expect(folder.diagnostics == [])
        }
    }

    @Test func versionsHaveDifferentNumbers() throws {
        #expect(
            try lines(["schema/1_a.sql": "", "schema/001_b.sql": "", "schema/01_c.sql": ""]) == [
                "schema/01_c.sql:1:1: error: 001_b.sql has the number 1 as well: give each version its own",
                "schema/1_a.sql:1:1: error: 01_c.sql has the number 1 as well: give each version its own",
            ])
    }

    @Test func aVersionBeginsWithItsNumber() throws {
        for name in ["cars.sql", "0_cars.sql", "9223372036854775808.sql", "v1.sql", "-1.sql", "١_cars.sql"] {
            #expect(
                try lines(["schema/\(name)": ""]) == [
                    "schema/\(name):1:1: error: the name of \(name) does not begin with the number of its version, "
                        + "as in 001_cars.sql"
                ])
        }
        #expect(try lines(["schema/20260101120000.sql": "", "schema/7.sql": ""]) == [])
    }

    @Test func aVersionInASubfolderIsAWarning() throws {
        #expect(
            try lines(["schema/old/1_a.sql": ""]) == [
                "schema/old/1_a.sql:1:1: warning: the file is not read: versions are directly in the folder 'schema'"
            ])
    }

    @Test(arguments: ["schema/1_a.SQL", "schema/2.Sql"]) func aVersionWithAnEndingInUpperCaseIsAWarning(name: String)
        throws
    {
        #expect(
            try lines([name: ""]) == [
                "\(name):1:1: warning: the file is not read: write the ending of its name as .sql"
            ])
    }

    // MARK: Text

    @Test func aByteOrderMarkIsLeftOut() throws {
        try folder(["a.sql": Array("\u{feff}-- name: a\r\nSELECT 1".utf8)]) { path in
            let folder = SQLFolder(path: path)
            #expect(folder.queryFiles.map(\.text) == ["-- name: a\r\nSELECT 1"])
            #expect(QueryFiles(folder.queryFiles).queries.map(\.name) == ["a"])
        }
    }

    @Test func invalidUTF8HasThePlaceOfTheFirstWrongByte() throws {
        let start = Array("-- é\r\nSELECT 'é".utf8)
        let message = "error: the file is not valid UTF-8"
        #expect(try lines(["a.sql": start + [0xff] + Array("'\n\0".utf8)]) == ["a.sql:2:11: \(message)"])
        #expect(try lines(["a.sql": start + [0xe2, 0x82]]) == ["a.sql:2:11: \(message)"])
        #expect(try lines(["a.sql": [0xef, 0xbb, 0xbf, 0x80]]) == ["a.sql:1:1: \(message)"])
        #expect(try lines(["a.sql": [0xc0, 0x80]]) == ["a.sql:1:1: \(message)"])
        #expect(try lines(["a.sql": [0xed, 0xa0, 0x80]]) == ["a.sql:1:1: \(message)"])
    }

    @Test func aNULIsAnError() throws {
        let message = "error: the file has a NUL character, at which SQLite would stop"
        #expect(try lines(["a.sql": Array("SELECT 1;\n é\0".utf8) + [0xff]]) == ["a.sql:2:4: \(message)"])
        #expect(try lines(["schema/1.sql": Array("\0".utf8)]) == ["schema/1.sql:1:1: \(message)"])
        #expect(
            try lines(["a.sql": [0xff, 0xfe, 0x41, 0]]) == ["a.sql:1:1: error: the file is UTF-16: save it as UTF-8"])
    }

    // MARK: Settings

    @Test func settingsAreRead() throws {
        let json = #"{"access": "public", "extensions": ["../libvector", "/lib/b"], "sqlite": "3.39.5"}"#
        try folder(["squall.json": json]) { path in
            for folder in [SQLFolder(path: path), SQLFolder(files: ["\(path)/squall.json"])] {
                #expect(folder.diagnostics == [])
                #expect(folder.configuration.access == .public)
                #expect(folder.configuration.extensions == ["../libvector", "/lib/b"])
                #expect(folder.extensions == ["\(path)/../libvector", "/lib/b"])
                #expect(folder.configuration.sqlite == "3.39.5")
            }
        }
        #expect(try lines(["squall.json": "{}"]) == [])
        #expect(try lines(["squall.json": "\u{feff}{ \"access\": \"internal\" }\r\n"]) == [])
    }

    @Test func wrongSettingsNameTheirKey() throws {
        func line(_ json: String) throws -> String { try lines(["squall.json": json]).joined(separator: "|") }
        #expect(
            try line("{\n  \"acess\": \"public\"\n}")
                == "squall.json:2:3: error: unknown key 'acess': the keys are access, extensions, sqlite")
        #expect(
            try line(#"{"access": "open"}"#)
                == #"squall.json:1:2: error: 'access' is "internal" or "public", not "open""#)
        #expect(try line(#"{"access": null}"#) == #"squall.json:1:2: error: 'access' is "internal" or "public""#)
        #expect(try line(#"{"extensions": "a"}"#) == "squall.json:1:2: error: 'extensions' is a list of paths")
        #expect(try line(#"{"extensions": [1]}"#) == "squall.json:1:2: error: 'extensions' is a list of paths")
        for version in ["4.0.0", "3", "3.x", "3.39.5.1", "3..1", "3.99999"] {
            #expect(
                try line("{\"sqlite\": \"\(version)\"}")
                    == "squall.json:1:2: error: 'sqlite' is a version such as \"3.39.5\", not \"\(version)\"")
        }
        #expect(try line(#"{"sqlite": 3.39}"#) == #"squall.json:1:2: error: 'sqlite' is a version such as "3.39.5""#)
        for text in ["", "[]", "{", "1", "{\"access\": }"] {
            #expect(try line(text) == "squall.json:1:1: error: the settings are not a JSON object")
        }
    }

    @Test func aFolderHasOneFileOfSettings() throws {
        #expect(
            try lines(["reports/squall.json": "{}"])
                == ["reports/squall.json:1:1: error: the settings are directly in the folder 'SQL'"])
        try folder(["a/SQL/squall.json": "{}", "b/SQL/squall.json": "{}"]) { path in
            let folder = SQLFolder(files: ["a", "b"].map { "\(path)/\($0)/SQL/squall.json" })
            #expect(
                folder.diagnostics.map(\.message) == ["there are other settings already: \(path)/a/SQL/squall.json"])
        }
    }
}
