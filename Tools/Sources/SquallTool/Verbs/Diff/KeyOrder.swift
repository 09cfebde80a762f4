import Foundation

/// The order of SQLite's `ORDER BY`, in which two tables are merged.
enum KeyCollation: String {
    case binary = "BINARY"
    case nocase = "NOCASE"
    case rtrim = "RTRIM"
}

extension Cell {
    /// Returns whether the value comes before another one (-1), after it (1), or is equal in a key (0): 1 and 1.0, and texts
    /// that differ in what the collation ignores.
    ///
    /// - Parameter isUTF16: Whether SQLite compares the bytes of UTF-16.
    func order(_ other: Cell, by collation: KeyCollation, isUTF16: Bool) -> Int {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): Self.order(left, right)
        case (.real(let left), .real(let right)): Self.order(left, right)
        case (.integer(let left), .real(let right)): Self.order(left, right)
        case (.real(let left), .integer(let right)): -Self.order(right, left)
        case (.blob(let left), .blob(let right)): Self.order(left, right)
        default:
            if let left = textBytes, let right = other.textBytes {
                Self.order(Self.key(left, collation, isUTF16), Self.key(right, collation, isUTF16))
            } else {
                Self.order(rank, other.rank)
            }
        }
    }

    /// The rank of the storage class.
    private var rank: Int {
        switch self {
        case .null: 0
        case .integer, .real: 1
        case .text, .malformedText: 2
        case .blob: 3
        }
    }

    private var textBytes: [UInt8]? {
        switch self {
        case .text(let text): Array(text.utf8)
        case .malformedText(let bytes): Array(bytes)
        case .null, .integer, .real, .blob: nil
        }
    }

    /// Returns the bytes that SQLite compares.
    private static func key(_ bytes: [UInt8], _ collation: KeyCollation, _ isUTF16: Bool) -> [UInt8] {
        switch collation {
        // SQLite converts the text to UTF-8 for the other collations.
        case .binary where isUTF16:
            String(decoding: bytes, as: UTF8.self).utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
        case .binary: bytes
        case .nocase: bytes.map { (65...90).contains($0) ? $0 + 32 : $0 }
        case .rtrim: Array(bytes.prefix((bytes.lastIndex { $0 != UInt8(ascii: " ") } ?? -1) + 1))
        }
    }

    private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
        left < right ? -1 : left > right ? 1 : 0
    }

    private static func order(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Int {
        left.lexicographicallyPrecedes(right) ? -1 : right.lexicographicallyPrecedes(left) ? 1 : 0
    }

    /// Compares without rounding the integer, as SQLite does.
    private static func order(_ left: Int64, _ right: Double) -> Int {
        if right < -0x1p63 { return 1 }
        if right >= 0x1p63 { return -1 }
        let whole = Int64(right)
        return left == whole ? order(Double(whole), right) : order(left, whole)
    }
}

extension Cell {
    /// Whether two values are the same, byte by byte. 1 and 1.0 are not, and neither are texts that only look alike.
    func isIdentical(to other: Cell) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        case (.blob(let left), .blob(let right)): left == right
        case (.malformedText(let left), .malformedText(let right)): left == right
        default: false
        }
    }
}
