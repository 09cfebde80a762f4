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
            case .value, .table: hash.add("?")
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
                    case .value, .table: rest.remove("?")
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
            var offset = 0
            while offset < bytes.count {
                if offset + 8 <= bytes.count {
                    let next = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                    // `&<<` and `&>>`: a shift by 64 bits would be one by 0.
                    let rest = bytesInWord == 0 ? 0 : next &>> (64 &- 8 &* bytesInWord)
                    mix(word | next &<< (8 &* bytesInWord))
                    word = rest
                    offset += 8
                } else {
                    word |= UInt64(bytes[offset]) << (8 * bytesInWord)
                    bytesInWord += 1
                    offset += 1
                    if bytesInWord == 8 { mixWord() }
                }
            }
        }
    }

    mutating func finish() -> UInt64 {
        mix(bytesInWord)
        mixWord()
        return value
    }

    private mutating func mixWord() {
        mix(word)
        word = 0
        bytesInWord = 0
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
