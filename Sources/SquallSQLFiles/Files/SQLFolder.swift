import Foundation

/// The SQL files of a target: the history of its schema, and its queries.
struct SQLFolder {
    /// A file of the history.
    struct Version {
        let number: Int
        let source: SourceText
    }

    /// The files in the subfolder `schema`, by their numbers.
    private(set) var history: [Version] = []
    /// The other files, by their paths.
    private(set) var queryFiles: [SourceText] = []
    private(set) var configuration = GeneratorConfiguration()
    private(set) var diagnostics: [Diagnostic] = []
    /// The path of the folder, without a slash at its end.
    let path: String

    /// Reads the files in a folder and its subfolders.
    init(_ path: String) {
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
        self.init(folder, files: names.map { "\(folder)/\($0)" })
        if !FileManager.default.fileExists(atPath: path) {
            diagnostics.append(Diagnostic(.error, "there is no folder \(path)", at: .start(of: path)))
        }
    }

    /// Reads the files of a folder, of which the paths are given.
    init(_ folder: String, files: [String]) {
        path = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        for file in files.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            let name = file.hasPrefix("\(path)/") ? String(file.dropFirst(path.count + 1)) : file
            guard !name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) else { continue }
            if name == "squall.json" { readSettings(file) }
            if name.hasSuffix(".sql") { read(file, isVersion: !CheckedFiles.hasQueries(name)) }
        }
        history.sort { $0.number < $1.number }
        for (version, next) in zip(history, history.dropFirst()) where version.number == next.number {
            report("\(version.source.path.lastComponent) has the same number", at: next.source.path)
        }
    }

    private mutating func report(_ message: String, at file: String) {
        diagnostics.append(Diagnostic(.error, message, at: .start(of: file)))
    }

    private mutating func readSettings(_ file: String) {
        guard let source = text(of: file) else { return }
        do { configuration = try GeneratorConfiguration(source) } catch { diagnostics.append(error) }
    }

    private mutating func read(_ file: String, isVersion: Bool) {
        guard let source = text(of: file) else { return }
        guard isVersion else { return queryFiles.append(source) }
        let digits = file.lastComponent.utf8.prefix(while: \.isDigit)
        guard let number = Int32(String(decoding: digits, as: UTF8.self)), number > 0 else {
            return report("the name does not begin with the number of the version, as in 001_cars.sql", at: file)
        }
        history.append(Version(number: Int(number), source: source))
    }

    /// Reads a file. One that is not text is reported at its first wrong byte.
    private mutating func text(of file: String) -> SourceText? {
        guard var bytes = try? [UInt8](Data(contentsOf: URL(fileURLWithPath: file))) else {
            report("the file cannot be read", at: file)
            return nil
        }
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { bytes.removeFirst(3) }
        let nul = bytes.firstIndex(of: 0)
        if nul == nil, let text = String(bytes: bytes, encoding: .utf8) { return SourceText(path: file, text: text) }
        let (offset, reason) = nul.map { ($0, "the file has a NUL character") } ?? Self.firstInvalid(bytes)
        let before = SourceText(path: file, text: String(decoding: bytes[..<offset], as: UTF8.self))
        diagnostics.append(Diagnostic(.error, reason, at: before.location(at: offset)))
        return nil
    }

    /// The place of the first byte that is not UTF-8.
    private static func firstInvalid(_ bytes: [UInt8]) -> (Int, String) {
        var decoder = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var offset = 0
        while true {
            switch decoder.parseScalar(from: &iterator) {
            case .valid(let scalar): offset += scalar.count
            case .emptyInput, .error: return (offset, "the file is not valid UTF-8")
            }
        }
    }
}

extension SourceLocation {
    /// The first line of a file.
    static func start(of file: String) -> SourceLocation { SourceLocation(file: file, line: 1, column: 1) }
}

extension String {
    /// The last component of a path.
    var lastComponent: String { split(separator: "/").last.map(String.init) ?? self }
}
