// One `KeyedDecodingContainer` for all rows that a storage reads. The standard library allocates one for each row, and looks up its
// type: decoding rows of ten integers takes 2.31× C with one container, and 2.71× with one for each row (2026-11-23).
// The storage owns the container, which refers to the storage without retaining it. That is valid because
//
// - the container is handed out only while a row is decoded, and the decoder retains the storage meanwhile;
// - a container that the user's initialiser has kept is given the storage to retain. The next row has another container.

/// A reference from a container to the storage that it reads.
final class StorageReference {
    /// The storage, which the caller of `init` retains unless `owner` does.
    let storage: Unmanaged<Row.Storage>
    private var owner: Row.Storage?

    init(_ storage: Row.Storage) {
        self.storage = .passUnretained(storage)
    }

    /// A reference that retains the storage, for a container that may be kept.
    convenience init(retaining storage: Row.Storage) {
        self.init(storage)
        owner = storage
    }

    func retainStorage() {
        owner = storage.takeUnretainedValue()
    }
}

extension Row.Storage {
    /// Begins to decode a row. Returns whether the caller must end it: decoding may be nested.
    func beginDecoding() -> Bool {
        if isDecoding { return false }
        isDecoding = true
        return true
    }

    /// Ends decoding a row.
    func endDecoding() {
        isDecoding = false
        guard container != nil, !isKnownUniquelyReferenced(&container) else { return }
        containerReference?.retainStorage()
        containerReference = nil
        container = nil
    }

    /// Returns the container for a type of keys.
    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        if isDecoding, let container, containerKeyType == ObjectIdentifier(type) {
            // `makeContainer` stored it for this type of keys. A container of another type is never read as this one.
            return unsafeBitCast(container, to: KeyedDecodingContainer<Key>.self)
        }
        return makeContainer(keyedBy: type)
    }

    @inline(never)
    private func makeContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        // A superclass has other keys than its subclass: the storage has one container.
        guard isDecoding, container == nil,
            MemoryLayout<KeyedDecodingContainer<Key>>.size == MemoryLayout<AnyObject>.size
        else { return KeyedDecodingContainer(KeyedColumns<Key>(StorageReference(retaining: self))) }
        let reference = StorageReference(self)
        let made = KeyedDecodingContainer(KeyedColumns<Key>(reference))
        // A `KeyedDecodingContainer` is one reference to a box, which the guard has checked by its size. A property cannot have the type,
        // because that has the type of keys as a parameter.
        container = unsafeBitCast(made, to: AnyObject.self)
        containerKeyType = ObjectIdentifier(type)
        containerReference = reference
        return made
    }
}
