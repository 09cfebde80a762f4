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
            var rest = UnsafeRawBufferPointer(bytes)[...]
            return rest.removePrefix(head)
                && tail.allSatisfy { piece in
                    switch piece {
                    case .text(let text): rest.removePrefix(text)
                    case .value: rest.popFirst() == UInt8(ascii: "?")
                    case .list(_, let count):
                        rest.removePrefix("(?") && (1..<count).allSatisfy { _ in rest.removePrefix(", ?") }
                            && rest.removePrefix(")")
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
                if bytesInWord == 0, offset + 8 <= bytes.count {
                    mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
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

extension Slice<UnsafeRawBufferPointer> {
    /// Removes `text` from the front, if the slice begins with it.
    fileprivate mutating func removePrefix(_ text: String) -> Bool {
        let isRemoved = text.utf8.withContiguousStorageIfAvailable { prefix in
            guard prefix.count <= count else { return false }
            guard let start = base.baseAddress, let other = prefix.baseAddress, prefix.count > 0 else { return true }
            guard memcmp(start + startIndex, other, prefix.count) == 0 else { return false }
            removeFirst(prefix.count)
            return true
        }
        return isRemoved ?? false
    }
}
