import Squall

/// The limits under which schema files run.
enum SchemaLimits {
    /// The size of a value or a row in bytes.
    private static let valueLength: Int32 = 10_000_000
    /// The number of pages of 4,096 bytes: 256 MB.
    private static let pageCount = 65_536

    /// Opens a database in memory that writes nothing to the disk.
    static func connection() throws -> Connection {
        var configuration = Configuration.sqlite
        configuration.foreignKeys = true
        configuration.recursiveTriggers = true
        configuration.doubleQuotedStrings = false
        configuration.trustedSchema = true
        configuration.defensive = true
        configuration.limits = [.length: valueLength]
        let connection = try Connection(":memory:", configuration: configuration)
        try connection.execute("PRAGMA temp_store = MEMORY; PRAGMA max_page_count = \(raw: "\(pageCount)")")
        return connection
    }
}
