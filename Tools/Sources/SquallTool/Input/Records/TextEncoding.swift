import Foundation

/// The recognition of text that is not UTF-8.
enum TextEncoding {
    /// Returns the encoding of a text of UTF-16 or UTF-32 by its first four bytes: those of a byte order mark, or the zeros in
    /// characters of ASCII.
    static func foreign(_ bytes: some Collection<UInt8>) -> String? {
        let first = Array(bytes.prefix(4))
        if first == [0xFF, 0xFE, 0, 0] || first == [0, 0, 0xFE, 0xFF] { return "UTF-32" }
        if first.starts(with: [0xFF, 0xFE]) || first.starts(with: [0xFE, 0xFF]) { return "UTF-16" }
        guard first.count == 4 else { return nil }
        return switch first.map({ $0 == 0 }) {
        case [false, true, true, true]: "UTF-32LE"
        case [true, true, true, false]: "UTF-32BE"
        case [false, true, false, true]: "UTF-16LE"
        case [true, false, true, false]: "UTF-16BE"
        default: nil
        }
    }

    /// Returns the command that converts text that is not valid UTF-8. Without zeros in it, it is likely to have one byte for each
    /// character.
    static func hint(_ bytes: some Collection<UInt8>) -> String {
        "convert the file, for instance with iconv -f \(foreign(bytes) ?? "ISO-8859-1") -t UTF-8"
    }
}

extension InputBytes {
    /// Returns the number of bytes of a byte order mark at the beginning of the file.
    ///
    /// - Throws: ``Failure`` for text that is UTF-16 or UTF-32.
    func byteOrderMark() throws -> Int {
        while record.count < 4, try readMore() {}
        if let encoding = TextEncoding.foreign(record) {
            throw Failure(
                "\(file.name): the text is \(encoding), and must be UTF-8", exitCode: .badInput,
                hint: TextEncoding.hint(record))
        }
        return record.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }
}
