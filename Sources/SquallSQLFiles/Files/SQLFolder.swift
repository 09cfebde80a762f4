import Foundation

/// The SQL files of a module: the history of its schema, its queries, and its settings.
///
///     SQL/schema/001_cars.sql     a version of the schema
///     SQL/cars.sql                queries
///     SQL/squall.json             settings
///
/// Hidden files and files with other endings are ignored.
struct SQLFolder: Sendable {
    /// A file of the history.
    struct Version: Sendable {
        let number: Int
        let source: SourceText
    }

    /// The files in the subfolder `schema`, by their numbers.
    private(set) var history: [Version] = []
    /// The other SQL files, by the bytes of their paths.
    private(set) var queryFiles: [SourceText] = []
    private(set) var configuration = GeneratorConfiguration()
    /// The path of the settings; `nil` without a file.
    private(set) var settingsPath: String?
    /// The paths of the extensions, from the folder of the settings.
    private(set) var extensions: [String] = []
    private(set) var diagnostics: [Diagnostic] = []

    /// Reads the files in a folder and its subfolders.
    init(path: String) {
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        let prefix = path.hasSuffix("/") ? path : "\(path)/"
        self.init(files: names.map { prefix + $0 }.filter { !Self.isFolder($0) }, below: path)
        if !Self.isFolder(path) { report("the folder cannot be read", at: path) }
    }

    private static func isFolder(_ path: String) -> Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) != nil
    }

    /// Reads files, as a build plugin passes them.
    ///
    /// - Parameters:
    ///   - files: The paths, in any order.
    ///   - folder: The folder of the files; `nil` for the last folder `SQL` of each path.
    init(files: [String], below folder: String? = nil) {
        for path in files.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            add(SQLPath(path, below: folder))
        }
        // Files with one number keep the order of their paths.
        history = history.enumerated().sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }
            .map(\.element)
        for (version, next) in zip(history, history.dropFirst()) where version.number == next.number {
            report(
                "\(version.source.path.lastComponent) has the number \(next.number) as well: give each version its own",
                at: next.source.path)
        }
        diagnostics.sort { $0.location < $1.location }
    }

    private mutating func report(_ message: String, _ severity: Diagnostic.Severity = .error, at file: String) {
        diagnostics.append(Diagnostic(severity, message, at: .start(of: file)))
    }

    private mutating func add(_ file: SQLPath) {
        do {
            switch file.kind {
            case .version: try addVersion(file.path)
            case .queries: queryFiles.append(try SourceText(file: file.path))
            case .settings: try addSettings(file.path)
            case .nestedVersion:
                report("the file is not read: versions are directly in the folder 'schema'", .warning, at: file.path)
            case .nestedSettings: report("the settings are directly in the folder 'SQL'", at: file.path)
            case .versionInUpperCase:
                report("the file is not read: write the ending of its name as .sql", .warning, at: file.path)
            case .other: break
            }
        } catch let diagnostic as Diagnostic {
            diagnostics.append(diagnostic)
        } catch {
            report("\(error)", at: file.path)
        }
    }

    private mutating func addVersion(_ path: String) throws {
        let source = try SourceText(file: path)
        let name = path.lastComponent
        let digits = name.utf8.prefix(while: \.isDigit)
        guard let number = Int(String(decoding: digits, as: UTF8.self)), number > 0 else {
            let message = "the name of \(name) does not begin with the number of its version, as in 001_cars.sql"
            report(message, at: path)
            return
        }
        history.append(Version(number: number, source: source))
    }

    private mutating func addSettings(_ path: String) throws {
        if let settingsPath {
            report("there are other settings already: \(settingsPath)", at: path)
            return
        }
        settingsPath = path
        configuration = try GeneratorConfiguration(try SourceText(file: path))
        let folder = path.utf8.count > path.lastComponent.utf8.count ? path.dropLast(path.lastComponent.count) : ""
        extensions = configuration.extensions.map { $0.hasPrefix("/") ? $0 : folder + $0 }
    }
}
