#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An error in a file of SQL, found before any of it was run.
public enum ScriptFileError: Error {
    /// The file is missing, or cannot be read.
    case unreadable(URL, any Error)
    /// The bytes at this offset are not valid UTF-8.
    case invalidUTF8(URL, offset: Int)
    /// There is a NUL character at this offset, in bytes. SQLite would end the script there.
    case nulCharacter(URL, offset: Int)
}

extension ScriptFileError: CustomStringConvertible, LocalizedError {
    @_documentation(visibility: internal)
    public var description: String {
        switch self {
        case .unreadable(let url, let error): "cannot read the script \(url.path): \(error)"
        case .invalidUTF8(let url, let offset): "the script \(url.path) is not valid UTF-8 at byte \(offset)"
        case .nulCharacter(let url, let offset): "the script \(url.path) has a NUL character at byte \(offset)"
        }
    }

    @_documentation(visibility: internal)
    public var errorDescription: String? { description }
}

/// The text of a file of SQL.
struct ScriptFile {
    let text: String

    init(_ url: URL) throws(ScriptFileError) {
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw .unreadable(url, error)
        }
        if let index = data.firstIndex(of: 0) { throw .nulCharacter(url, offset: index - data.startIndex) }
        guard let text = String(data: data, encoding: .utf8) else {
            throw .invalidUTF8(url, offset: Self.offsetOfInvalidUTF8(in: data))
        }
        self.text = text
    }

    /// The number of bytes before the first that do not decode.
    private static func offsetOfInvalidUTF8(in data: Data) -> Int {
        var decoder = UTF8()
        var bytes = data.makeIterator()
        var offset = 0
        while case .scalarValue(let scalar) = decoder.decode(&bytes) { offset += UTF8.width(scalar) }
        return offset
    }
}
