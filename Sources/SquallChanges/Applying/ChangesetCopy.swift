import Squall

/// The bytes of a stream of changes, which is read once, and applied and compared with the rows. SQLite keeps them in a temporary file if
/// they are many.
final class ChangesetCopy {
    private let connection: Connection
    /// The storage classes of the columns of the tables.
    let storageClasses: [Identifier: [ChangesetScanner.StorageClasses]]

    /// - Parameters:
    ///   - inMemory: Whether SQLite keeps the bytes in memory, which are not encrypted in a file.
    ///   - found: Called for each table.
    ///   - didRead: Called after each part was read.
    init(
        _ stream: ChangesetStream, inMemory: Bool, _ found: (ChangesetHeader) throws -> Void, didRead: () throws -> Void
    ) throws {
        let connection = try Connection(storageLocation: inMemory ? .inMemory : .temporary)
        try connection.execute("CREATE TABLE parts(number INTEGER PRIMARY KEY, bytes BLOB)")
        storageClasses = try connection.transaction {
            try stream.forEachPart(found) { part in
                try didRead()
                try connection.run("INSERT INTO parts(bytes) VALUES(\(part))")
            }
        }
        self.connection = connection
    }

    /// The bytes as a new stream.
    var stream: ChangesetStream {
        var number = 0
        return ChangesetStream { [connection] in
            number += 1
            return try connection.query("SELECT bytes FROM parts WHERE number = \(number)")
        }
    }
}

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
