import Foundation
import Testing

@testable import SquallSQLFiles

/// The files of a folder: which are read, in which order, and what is wrong with their bytes and names.
struct FolderReadingTests {
    private static let table = "CREATE TABLE cars (id INTEGER PRIMARY KEY, name TEXT NOT NULL);"

    // MARK: Files

    @Test func queriesMayBeInSubfolders() throws {
        let files = try SampleFolder([
            "schema/1.sql": Self.table,
            "reports/b.sql": "-- name: second\nSELECT name FROM cars;",
            "a.sql": "-- name: first\nSELECT id FROM cars;",
            "notes.txt": "no SQL",
            ".hidden.sql": "no SQL",
        ]).checked()
        #expect(files.queries.map(\.declaration.name) == ["first", "second"])
    }

    @Test func pathsAreSortedByTheirBytes() throws {
        let query = "SELECT id FROM cars;"
        let files = try SampleFolder([
            "schema/1.sql": Self.table, "B.sql": "-- name: b\n\(query)", "a.sql": "-- name: a\n\(query)",
            "é.sql": "-- name: e\n\(query)", "a/c.sql": "-- name: c\n\(query)",
        ]).checked()
        #expect(files.queries.map(\.declaration.name) == ["b", "a", "c", "e"])
    }

    @Test func versionsRunInTheOrderOfTheirNumbers() throws {
        let files = try SampleFolder([
            "schema/10_price.sql": "ALTER TABLE cars ADD COLUMN price INT;", "schema/9_cars.sql": Self.table,
            "q.sql": "-- name: prices\nSELECT price FROM cars;",
        ]).checked()
        #expect(files.queries.count == 1)
    }

    @Test func pathsOfABuildSystemAreReadLikeAFolder() throws {
        let folder = SampleFolder([
            "schema/1.sql": Self.table, "a.sql": "-- name: first\nSELECT id FROM cars;",
            "squall.json": #"{ "access": "public" }"#,
        ])
        try folder.withFolder { path in
            let paths = ["a.sql", "schema/1.sql", "squall.json"].map { "\(path)/\($0)" }
            let files = try CheckedFiles(folder: path, files: paths)
            #expect(files.queries.map(\.declaration.name) == ["first"])
            #expect(files.access == .public)
        }
    }

    @Test func twoVersionsWithOneNumberAreAnError() throws {
        let folder = SampleFolder(["schema/001_cars.sql": Self.table, "schema/1_owners.sql": "SELECT 1;"])
        try folder.expectError(at: "schema/1_owners.sql:1:1", "001_cars.sql", "number")
    }

    @Test(arguments: ["cars.sql", "0_cars.sql", "-1_cars.sql", "9223372036854775808_cars.sql", "٣_cars.sql"])
    func aVersionWithoutANumberIsAnError(_ name: String) throws {
        try SampleFolder(["schema/\(name)": Self.table]).expectError(at: "schema/\(name):1:1", "number")
    }

    @Test func aMissingFolderIsAnError() throws {
        #expect(throws: DiagnosticsError.self) { try CheckedFiles(folder: "/nowhere/\(UUID())") }
    }

    // MARK: Bytes

    @Test func windowsLineEndsKeepTheLines() throws {
        let sql =
            "-- name: first\r\n-- The first.\r\nSELECT id FROM cars;\r\n\r\n-- name: second :one\r\nSELECT nmae FROM cars;\r\n"
        try SampleFolder(["schema/1.sql": "\(Self.table)\r\n", "a.sql": sql])
            .expectError(at: "a.sql:6:8", "no such column: nmae")
        let files = try SampleFolder([
            "schema/1.sql": "\(Self.table)\r\n", "a.sql": sql.replacingOccurrences(of: "nmae", with: "name"),
        ]).checked()
        #expect(files.queries.map(\.declaration.documentation) == [["The first."], []])
        #expect(files.queries.map(\.declaration.cardinality) == [nil, .one])
    }

    @Test func aByteOrderMarkIsNotPartOfTheText() throws {
        let mark = "\u{FEFF}"
        try SampleFolder(["schema/1.sql": mark + Self.table, "a.sql": "\(mark)-- name: first\nSELECT nmae FROM cars"])
            .expectError(at: "a.sql:2:8", "no such column: nmae")
        try SampleFolder(["schema/1.sql": mark + Self.table, "a.sql": "\(mark)SELECT id FROM cars"])
            .expectError(at: "a.sql:1:1", "-- name:")
    }

    @Test(
        arguments: [
            ([0x80], "1:4"), ([0xc3], "1:4"), ([0x0a, 0x61, 0xed, 0xa0, 0x80], "2:2"),
            ([0x0a, 0xf0, 0x9f, 0x98], "2:1"),
            ([0xc0, 0xaf], "1:4"), ([0xc3, 0xa9, 0xff], "1:6"),
        ] as [([UInt8], String)])
    func invalidUTF8IsAnErrorAtItsFirstByte(_ bytes: [UInt8], _ place: String) throws {
        for name in ["a.sql", "schema/1.sql"] {
            try SampleFolder(bytes: [name: Array("-- ".utf8) + bytes]).expectError(at: "\(name):\(place)", "UTF-8")
        }
    }

    @Test func aNULIsAnErrorAtItsPlace() throws {
        try SampleFolder(["schema/1.sql": Self.table + "\n  \0SELECT 1"]).expectError(at: "schema/1.sql:2:3", "NUL")
    }

    @Test func theFirstWrongByteIsReported() throws {
        try SampleFolder(bytes: ["a.sql": [0x2d, 0x2d, 0xff, 0x00]]).expectError(at: "a.sql:1:3", "UTF-8")
        try SampleFolder(bytes: ["a.sql": [0x2d, 0x2d, 0x00, 0xff]]).expectError(at: "a.sql:1:3", "NUL")
    }

    @Test func anEmptyFileHasNoQueries() throws {
        let files = try SampleFolder(["schema/1.sql": "", "a.sql": "", "b.sql": "\n\n", "c.sql": ";;"]).checked()
        #expect(files.queries.isEmpty)
    }

    // MARK: Settings

    @Test func settingsAreRead() throws {
        let files = try SampleFolder(["squall.json": #"{ "access": "public", "extensions": [] }"#]).checked()
        #expect(files.access == .public)
        #expect(try SampleFolder(["a.sql": ""]).checked().access == nil)
    }

    @Test func theTargetVersionIsANoteWhenItDiffers() throws {
        let lines = try SampleFolder(["squall.json": #"{ "sqlite": "3.39.5" }"#]).lines()
        #expect(lines.count == 1 && lines[0].contains("note") && lines[0].contains("3.39.5"), "\(lines)")
    }

    @Test func anUnknownSettingIsNamed() throws {
        try SampleFolder(["squall.json": "{\n  \"acess\": \"public\"\n}"]).expectError(at: "squall.json:2:3", "acess")
    }

    @Test(arguments: [#"{ "access": "open" }"#, #"{ "extensions": "a" }"#, #"{ "sqlite": 3 }"#, "[]", "{", ""])
    func aSettingOfAnotherTypeIsAnError(_ json: String) throws {
        let lines = try SampleFolder(["squall.json": json]).lines()
        #expect(lines.count == 1 && lines[0].hasPrefix("squall.json:1:") && lines[0].contains(": error: "), "\(lines)")
    }

    @Test func aMissingExtensionIsAnError() throws {
        let lines = try SampleFolder(["squall.json": #"{ "extensions": ["nowhere"] }"#, "a.sql": ""]).lines()
        #expect(lines.count == 1 && lines[0].contains("nowhere") && lines[0].contains(": error: "), "\(lines)")
    }
}
