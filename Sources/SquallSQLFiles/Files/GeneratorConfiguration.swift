import Foundation

/// The settings of a folder of SQL files, from its file `squall.json`.
///
///     { "access": "public", "extensions": ["../libvector"], "sqlite": "3.39.5" }
struct GeneratorConfiguration: Hashable, Sendable, Decodable {
    /// The name of the file.
    static let fileName = "squall.json"

    /// The access of the declarations; `nil` for that of the command, or `internal`.
    var access: Access?
    /// The paths of the extensions that are loaded before the schema runs, relative to the folder.
    var extensions: [String] = []
    /// The version of SQLite on which the program will run, `3.39.5`; `nil` for that of the build.
    var sqlite: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case access, extensions, sqlite
    }

    init() {}

    /// Reads the settings. A key that does not exist and a wrong value are errors.
    init(from decoder: any Decoder) throws {
        let names = try decoder.container(keyedBy: AnyKey.self).allKeys
        if let unknown = names.filter({ CodingKeys(stringValue: $0.stringValue) == nil })
            .min(by: { $0.stringValue < $1.stringValue })
        {
            let known = CodingKeys.allCases.map(\.stringValue).joined(separator: ", ")
            throw Self.error(unknown, "unknown key '\(unknown.stringValue)': the keys are \(known)")
        }
        let values = try decoder.container(keyedBy: CodingKeys.self)
        if values.contains(.access) {
            let text = try Self.value(String.self, .access, "\"internal\" or \"public\"", in: values)
            guard let access = Access(rawValue: text) else {
                throw Self.error(CodingKeys.access, "'access' is \"internal\" or \"public\", not \"\(text)\"")
            }
            self.access = access
        }
        if values.contains(.extensions) {
            extensions = try Self.value([String].self, .extensions, "a list of paths", in: values)
        }
        if values.contains(.sqlite) {
            let text = try Self.value(String.self, .sqlite, "a version such as \"3.39.5\"", in: values)
            guard Self.isVersion(text) else {
                throw Self.error(CodingKeys.sqlite, "'sqlite' is a version such as \"3.39.5\", not \"\(text)\"")
            }
            sqlite = text
        }
    }

    private static func value<Value: Decodable>(
        _ type: Value.Type, _ key: CodingKeys, _ expected: String, in values: KeyedDecodingContainer<CodingKeys>
    ) throws -> Value {
        do {
            return try values.decode(type, forKey: key)
        } catch {
            throw Self.error(key, "'\(key.stringValue)' is \(expected)")
        }
    }

    private static func error(_ key: any CodingKey, _ message: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: [key], debugDescription: message))
    }

    /// Returns whether a text is a version of SQLite 3 with two or three numbers.
    private static func isVersion(_ text: String) -> Bool {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.first == "3" && (2...3).contains(numbers.count)
            && numbers.allSatisfy { (1...3).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isDigit) }
    }
}

extension GeneratorConfiguration {
    /// Reads the settings from the text of `squall.json`.
    ///
    /// - Throws: ``Diagnostic`` for text that is not a JSON object, an unknown key, and a wrong value.
    init(_ source: SourceText) throws(Diagnostic) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(source.text.utf8))
        } catch DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty {
            let key = context.codingPath[0].stringValue
            throw Diagnostic(.error, context.debugDescription, at: Self.location(of: key, in: source))
        } catch {
            throw Diagnostic(.error, "the settings are not a JSON object", at: .start(of: source.path))
        }
    }

    /// Returns the place of a key; the beginning of the file if it is written with escapes.
    private static func location(of key: String, in source: SourceText) -> SourceLocation {
        guard let range = source.text.firstRange(of: "\"\(key)\"") else { return .start(of: source.path) }
        return source.location(at: source.text.utf8.distance(from: source.text.startIndex, to: range.lowerBound))
    }
}

/// A key of any name.
private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init?(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) { nil }
}
