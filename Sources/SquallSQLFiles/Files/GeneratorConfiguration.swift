import Foundation

/// The settings of a folder, from its file `squall.json`.
struct GeneratorConfiguration: Hashable, Sendable {
    /// The access of the declarations; `nil` for the default.
    var access: Access?
    /// The paths of the extensions that are loaded before the schema runs, relative to the folder.
    var extensions: [String] = []
    /// The version of SQLite that the program will run on: `3.39.5`.
    var sqlite: String?

    init() {}

    /// Reads the settings.
    ///
    /// - Throws: ``Diagnostic`` for text that is not JSON, an unknown key, and a value of another type.
    init(_ source: SourceText) throws(Diagnostic) {
        func failure(_ message: String, _ key: String? = nil) -> Diagnostic {
            let place = key.flatMap { source.text.firstRange(of: "\"\($0)\"") }?.lowerBound ?? source.text.startIndex
            let offset = source.text.utf8.distance(from: source.text.startIndex, to: place)
            return Diagnostic(.error, message, at: source.location(at: offset))
        }
        guard let object = try? JSONSerialization.jsonObject(with: Data(source.text.utf8)) as? [String: Any] else {
            throw failure("the settings are not a JSON object")
        }
        for (key, value) in object.sorted(by: { $0.key < $1.key }) {
            switch (key, value) {
            case ("access", let text as String):
                guard let access = Access(rawValue: text) else {
                    throw failure("access is \"internal\" or \"public\"", key)
                }
                self.access = access
            case ("extensions", let paths as [String]): extensions = paths
            case ("sqlite", let version as String): sqlite = version
            case ("access", _), ("sqlite", _): throw failure("\(key) is a text", key)
            case ("extensions", _): throw failure("extensions is a list of paths", key)
            default: throw failure("there is no setting \(key): there are access, extensions and sqlite", key)
            }
        }
    }
}
