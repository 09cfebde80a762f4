import SquallSQLite

// Looks up the statement of a `SQL` without assembling its text.

extension SQL {
    /// A hash of the text, independent of how it is divided into pieces. It need not withstand attackers, who cannot
    /// choose SQL. The hash of `String` costs more than the rest of access to a statement.
    var quickHash: UInt64 {
        var hash = QuickHash()
        hash.add(head)
        for piece in tail {
            switch piece {
            case .text(let text): hash.add(text)
            case .value: hash.add("?")
            case .list(_, let count):
                hash.add("(?")
                for _ in 1..<count { hash.add(", ?") }
                hash.add(")")
            }
        }
        return hash.finish()
    }

    /// Whether this SQL has exactly the bytes of `text`. `String` would treat `"é"` and `"e\u{301}"` as equal.
    func hasText(_ text: String) -> Bool {
        let isEqual = text.utf8.withContiguousStorageIfAvailable { bytes in
            var rest = RemainingText(bytes)
            return rest.remove(head)
                && tail.allSatisfy { piece in
                    switch piece {
                    case .text(let text): rest.remove(text)
                    case .value: rest.remove("?")
                    case .list(_, let count):
                        rest.remove("(?") && (1..<count).allSatisfy { _ in rest.remove(", ?") } && rest.remove(")")
                    }
                }
                && rest.isEmpty
        }
        return isEqual ?? self.text.utf8.elementsEqual(text.utf8)
    }
}

/// Mixes text in words of eight bytes, counted from its beginning.
private struct QuickHash {
    private var value: UInt64 = 0
    private var word: UInt64 = 0
    private var bytesInWord: UInt64 = 0

    mutating func add(_ text: String) {
        // A `String` bridged from Objective-C may have no contiguous storage, and counts as empty here.
        text.utf8.withContiguousStorageIfAvailable { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            func word(at offset: Int) -> UInt64 {
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            }
            var offset = 0
            while offset + 8 <= bytes.count {
                add(word(at: offset), count: 8)
                offset += 8
            }
            let rest = UInt64(truncatingIfNeeded: bytes.count - offset)
            guard rest > 0 else { return }
            if bytes.count >= 8 {
                add(word(at: bytes.count - 8) &>> (64 &- 8 &* rest), count: rest)
            } else {
                for byte in bytes { add(UInt64(byte), count: 1) }
            }
        }
    }

    /// Adds up to eight bytes, the first in the lowest bits; the bits above them are 0.
    @inline(__always)
    private mutating func add(_ bytes: UInt64, count: UInt64) {
        word |= bytes &<< (8 &* bytesInWord)
        bytesInWord += count
        guard bytesInWord >= 8 else { return }
        mix(word)
        bytesInWord -= 8
        // Not by 64 bits: `&>>` would shift by 0.
        word = bytesInWord == 0 ? 0 : bytes &>> (8 &* (count &- bytesInWord))
    }

    mutating func finish() -> UInt64 {
        mix(bytesInWord)
        mix(word)
        return value
    }

    private mutating func mix(_ word: UInt64) {
        value = (value ^ word) &* 0x9E37_79B9_7F4A_7C15
        value ^= value >> 29
    }
}

/// The rest of a text that is compared piece by piece.
private struct RemainingText {
    private var bytes: UnsafeRawBufferPointer

    init(_ text: UnsafeBufferPointer<UInt8>) {
        bytes = UnsafeRawBufferPointer(text)
    }

    var isEmpty: Bool { bytes.isEmpty }

    /// Removes `text` from the front, if the rest begins with it.
    @inline(__always)
    mutating func remove(_ text: String) -> Bool {
        let isRemoved = text.utf8.withContiguousStorageIfAvailable { prefix in
            guard prefix.count <= bytes.count else { return false }
            guard let start = bytes.baseAddress, let other = prefix.baseAddress, prefix.count > 0 else { return true }
            // The SQL of a table, and a literal that is run again, have the memory of the text itself.
            guard start == UnsafeRawPointer(other) || memcmp(start, other, prefix.count) == 0 else { return false }
            bytes = UnsafeRawBufferPointer(rebasing: bytes[prefix.count...])
            return true
        }
        return isRemoved ?? false
    }
}
