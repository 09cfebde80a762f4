/// A file of Swift with one test, which executes a run and expects what must hold at its end.
struct SwiftTest {
    private let name: String
    private let shape: TableShape
    private let settings: SettingsSwift
    private let isInMemory: Bool
    private let variables: [Script.Variable]
    private let lines: [String]
    private let failure: String?
    /// The rows at the end; `nil` if the run has failed inside a step.
    private let model: Model?
    private let expectations: [String]

    init(_ world: World, _ script: Script, _ failure: String?) {
        name = script.name
        (shape, settings, isInMemory) = (world.shape, world.settings.swift, world.settings.isInMemory)
        (variables, lines, self.failure) = (script.variables, script.lines, failure)
        model = script.isModelCurrent ? world.model : nil
        expectations = world.parts.flatMap(\.swift.expectations)
    }

    var text: String {
        let head = [
            "// swift-format-ignore-file", "import Foundation", "import Squall", "import SquallChanges",
            "import SquallSearch",
            "import SquallStore", "import Testing", "",
        ]
        let comment = failure.map { ["/// \($0.split(whereSeparator: \.isNewline).joined(separator: " "))"] } ?? []
        let body = opening + lines + end
        let function = comment + ["@Test func \(name)() throws {"] + body.map { $0.isEmpty ? "" : "    \($0)" } + ["}"]
        return (head + record + function).joined(separator: "\n") + "\n"
    }

    /// The type of a record, and its table.
    private var record: [String] {
        let (type, coding) = shape.key.swiftType
        let seen = shape.dates == .standard ? "" : ", as: .\(shape.dates)"
        let part = shape.key == .composite ? ", .primaryKey" : ""
        let properties = [
            "id: \(type)", "part: Int64", "name: String", "price: Double?", "note: String?", "owner: Int64?",
            "stars: Int64", "code: Int64?", "seen: Date?", "data: Data?",
        ]
        let columns = TableShape.columns.map { column in
            let options =
                [
                    "id": "\(coding), .primaryKey", "part": part, "seen": seen,
                    "data": shape.hasJSON ? ", as: .json" : "",
                ][column] ?? ""
            return "Column(\"\(column)\", \\Item.\(column)\(options))"
        }
        return ["private struct Item: Hashable, Sendable {"] + properties.map { "    let \($0)" } + [
            "}", "", "private let items = Table(",
            "    \"items\", Item.init(\(TableShape.columns.joined(separator: ":")):),",
            "    \(columns.joined(separator: ", ")))", "",
        ]
    }

    /// The lines that open the database.
    private var opening: [String] {
        func function(_ name: String, _ lines: [String]) -> [String] {
            ["@Sendable func \(name)(_ c: Connection) throws {"] + lines.map { "    \($0)" } + ["}"]
        }
        var lines = [
            "let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path",
            "try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)",
            "defer { try? FileManager.default.removeItem(atPath: folder) }",
            "let path = \(isInMemory ? "\":memory:\"" : #""\(folder)/main.db""#)",
            "\(settings.configuration.isEmpty ? "let" : "var") configuration = Configuration.recommended",
        ]
        lines += settings.configuration
        lines += function("prepare", settings.preparation)
        lines += function("prepareWriter", settings.writerPreparation)
        lines += [
            "func open() throws -> Database {",
            "    try Database(path, configuration: configuration, preparation: { c in",
        ]
        lines += (["try prepare(c)"] + settings.databasePreparation).map { "        \($0)" }
        lines += ["    }, writerConnectionPreparation: prepareWriter)", "}"]
        return lines + variables.map { "var \($0.name): \($0.type)!" } + ["var db = try open()"]
    }

    /// The lines with what must hold at the end.
    private var end: [String] {
        var lines = model.map(rowExpectations) ?? ["// The step that failed must not throw."]
        lines += [
            "let problems: [String] = try c.query(\"PRAGMA integrity_check\")", "#expect(problems == [\"ok\"])",
            "let orphans: Int = try c.query(\"SELECT count(*) FROM pragma_foreign_key_check\")",
            "#expect(orphans == 0)",
        ]
        lines += expectations.filter { model != nil || !$0.contains("expected") }
        return ["try db.blocking.writeWithoutTransaction { c in"] + lines.map { "    \($0)" } + ["}"]
    }

    /// The lines that expect rows, by the values of records and by the bytes of texts.
    private func rowExpectations(_ model: Model) -> [String] {
        let bytes = model.rows.map { "\"\($0.name.hexadecimal)/\($0.note?.hexadecimal ?? "-")\"" }.sorted()
        let authors = model.authors.sorted { $0.key < $1.key }.map { "\"\($0.key) \($0.value)\"" }
        return ["let expected: [Item] = ["] + model.rows.map { "    \($0.swift(shape))," } + [
            "]", "#expect(try Set(c.table(items).all()) == Set(expected))",
            "let bytes: [String] = try c.query(\"SELECT hex(name) || '/' || iif(note IS NULL, '-', hex(note)) AS b FROM items ORDER BY b\")",
            "#expect(bytes == [\(bytes.joined(separator: ", "))])",
            "let authors: [String] = try c.query(\"SELECT id || ' ' || name FROM authors ORDER BY id\")",
            "#expect(authors == [\(authors.joined(separator: ", "))])",
        ]
    }
}

extension TableShape.Key {
    /// The type of a record's property, and the option of its column.
    fileprivate var swiftType: (type: String, coding: String) {
        switch self {
        case .integer, .autoincrement, .untyped, .composite: ("Int64", "")
        case .text: ("String", "")
        case .uuid: ("UUID", ", as: .lowercaseText")
        }
    }
}
