// One `KeyedDecodingContainer` for all rows that a storage reads: the standard library allocates one for each row, and looks up its
// type. The storage owns the container, which refers to the storage without retaining it. That is valid because
//
// - the container is handed out only while a row is decoded, and the decoder retains the storage meanwhile;
// - a container that the user's initialiser has kept is given the storage to retain. The next row has
//   another container.

/// The storage that a container reads.
final class ContainerPlace {
    /// The storage, which the caller of `init` retains unless `owner` does.
    let storage: Unmanaged<Row.Storage>
    private var owner: Row.Storage?

    init(_ storage: Row.Storage) {
        self.storage = .passUnretained(storage)
    }

    /// A place whose container may be kept.
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
        containerPlace?.retainStorage()
        containerPlace = nil
        container = nil
    }

    /// Returns the container for a type of keys.
    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        if isDecoding, let container, containerKeyType == ObjectIdentifier(type) {
            // It was made below, for the same type of keys, and is a reference to an object.
            return unsafeBitCast(container, to: KeyedDecodingContainer<Key>.self)
        }
        return makeContainer(keyedBy: type)
    }

    @inline(never)
    private func makeContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        // A superclass has other keys than its subclass: the storage has one container.
        guard isDecoding, container == nil,
            MemoryLayout<KeyedDecodingContainer<Key>>.size == MemoryLayout<AnyObject>.size
        else { return KeyedDecodingContainer(KeyedColumns<Key>(ContainerPlace(retaining: self))) }
        let place = ContainerPlace(self)
        let made = KeyedDecodingContainer(KeyedColumns<Key>(place))
        container = unsafeBitCast(made, to: AnyObject.self)
        containerKeyType = ObjectIdentifier(type)
        containerPlace = place
        return made
    }
}
