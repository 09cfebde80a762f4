/// The columns of a statement for the keys of a `Decodable` type.
///
/// The keys that the compiler makes are enums of one byte. It finds the column again without the name of the key: making the name and
/// comparing it took a fifth of the instructions of decoding ten integers (callgrind, 2026-11-23).
final class KeyColumns {
    private static let count = 256

    let type: ObjectIdentifier
    /// The columns by the byte of their key. Behind a pointer, as `Row.Storage.expected` is.
    let columns: UnsafeMutablePointer<KnownColumn>

    init(type: ObjectIdentifier) {
        self.type = type
        columns = .allocate(capacity: Self.count)
        columns.initialize(repeating: .unknown, count: Self.count)
    }

    deinit { columns.deallocate() }

    enum KnownColumn: BitwiseCopyable {
        case unknown
        case missing
        case found(Int32)
    }
}

extension Row.Storage {
    /// Returns the index of the column of a key; `nil` if there is none.
    @inline(__always)
    func index(of key: some CodingKey) -> Int? {
        if let columns = keyColumns(of: key), case .found(let index) = columns.pointee { return Int(index) }
        return search(key)
    }

    /// Returns the place of a key of one byte among the columns, if it is of the type whose keys were used last.
    @inline(__always)
    private func keyColumns<Key: CodingKey>(of key: Key) -> UnsafeMutablePointer<KeyColumns.KnownColumn>? {
        guard let columns = lastKeyColumns, lastKeyType == ObjectIdentifier(Key.self) else { return nil }
        // Keys of equal bytes are equal. Only a type without references has one byte or none.
        return MemoryLayout<Key>.size == 1 ? columns + Int(unsafeBitCast(key, to: UInt8.self)) : columns
    }

    @inline(never)
    private func search<Key: CodingKey>(_ key: Key) -> Int? {
        guard MemoryLayout<Key>.size <= 1 else { return index(of: key.stringValue) }
        useKeyColumns(of: ObjectIdentifier(Key.self))
        guard let known = keyColumns(of: key) else { return nil }
        if case .unknown = known.pointee {
            known.pointee = index(of: key.stringValue).map { .found(Int32($0)) } ?? .missing
        }
        guard case .found(let index) = known.pointee else { return nil }
        return Int(index)
    }
}
