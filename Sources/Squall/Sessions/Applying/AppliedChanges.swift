/// Changes that can be read again.
enum AppliedChanges {
    case bytes(Changeset, [Identifier: [ChangesetScanner.StorageClasses]])
    case copy(ChangesetCopy)

    /// The storage classes of the columns of the tables.
    var storageClasses: [Identifier: [ChangesetScanner.StorageClasses]] {
        switch self {
        case .bytes(_, let classes): classes
        case .copy(let copy): copy.storageClasses
        }
    }

    /// Calls a closure with the iterator on one change after the other.
    func forEachIterator(isInverted: Bool, _ body: (borrowing ChangesetIterator) throws -> Void) throws {
        switch self {
        case .bytes(let changes, _):
            try changes.withIterator(isInverted: isInverted) { iterator in
                while try iterator.next() { try body(iterator) }
            }
        case .copy(let copy): try copy.stream.forEachIterator(isInverted: isInverted, body)
        }
    }
}
