import Foundation

extension SourceText {
    /// Reads a file. A byte order mark is left out.
    ///
    /// - Throws: ``Diagnostic`` for a file that cannot be read, that is not UTF-8, or that has a NUL character, at the
    ///   first wrong byte.
    init(file path: String) throws(Diagnostic) {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            let reason = (error as? CocoaError)?.code == .fileReadNoSuchFile ? ": it does not exist" : ""
            throw Diagnostic(.error, "the file cannot be read\(reason)", at: .start(of: path))
        }
        try self.init(path: path, bytes: [UInt8](data))
    }

    /// Reads the bytes of a file. A byte order mark is left out.
    ///
    /// - Throws: ``Diagnostic`` for bytes that are not UTF-8 or have a NUL character, at the first wrong byte.
    init(path: String, bytes: [UInt8]) throws(Diagnostic) {
        if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) {
            throw Diagnostic(.error, "the file is UTF-16: save it as UTF-8", at: .start(of: path))
        }
        let bytes = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes.dropFirst(3)) : bytes
        let decoded = String(decoding: bytes, as: UTF8.self)
        // If decoding repaired the text, its bytes differ.
        let text = decoded.utf8.elementsEqual(bytes) ? decoded : nil
        let nul = bytes.firstIndex(of: 0)
        if let text, nul == nil {
            self.init(path: path, text: text)
            return
        }
        let invalid = text == nil ? Self.offsetOfInvalidUTF8(in: bytes) : bytes.count
        let offset = min(nul ?? bytes.count, invalid)
        let before = SourceText(path: path, text: String(decoding: bytes[..<offset], as: UTF8.self))
        let message =
            offset == nul ? "the file has a NUL character, at which SQLite would stop" : "the file is not valid UTF-8"
        throw Diagnostic(.error, message, at: before.location(at: offset))
    }

    /// Returns the number of bytes before the first that do not decode.
    private static func offsetOfInvalidUTF8(in bytes: [UInt8]) -> Int {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var offset = 0
        while case .scalarValue(let scalar) = decoder.decode(&iterator) { offset += UTF8.width(scalar) }
        return offset
    }
}

extension SourceLocation {
    /// Returns the place at which a file begins.
    static func start(of file: String) -> SourceLocation { SourceLocation(file: file, line: 1, column: 1) }
}

extension String {
    /// The last component of a path.
    var lastComponent: String { split(separator: "/").last.map(String.init) ?? self }
}
