#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The bytes of a stream of changes, which are read again to compare the rows. SQLite keeps them in a temporary file if they are many.
final class ChangesetCopy {
    private let connection: Connection
    private let insertion: Statement

    init() throws {
        connection = try Connection(storageLocation: .temporary)
        try connection.execute("CREATE TABLE parts(number INTEGER PRIMARY KEY, bytes BLOB); BEGIN")
        insertion = try connection.prepare("INSERT INTO parts(bytes) VALUES(?)")
    }

    func append(_ part: Data) throws {
        if !part.isEmpty { try insertion.bind(part).run() }
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
