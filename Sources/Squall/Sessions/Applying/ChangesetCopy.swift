#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The bytes of a stream of changes, which is read once, and applied and compared with the rows. SQLite keeps them in a temporary file if
/// they are many.
final class ChangesetCopy {
    private let connection: Connection
    /// The storage classes of the columns of the tables.
    let storageClasses: [Identifier: [ChangesetScanner.StorageClasses]]

    /// - Parameters:
    ///   - found: Called for each table.
    ///   - didRead: Called after each part was read.
    init(
        _ stream: ChangesetStream, _ found: (ChangesetHeader) throws -> Void, didRead: () throws -> Void
    ) throws {
        let connection = try Connection(storageLocation: .temporary)
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
