/// Reads the values that binders give to SQL, with a statement of a private connection: `SELECT ?, ?`.
///
/// The connection is in memory, and is opened at the first use.
enum ValueReader {
    private static let connection = Locked<Connection?>(nil)

    static func values(of binders: [FieldBinder], at record: UnsafeRawPointer) throws -> [BindingValue] {
        try connection.withLock { known in
            let connection = try known ?? Connection()
            known = connection
            let parameters = binders.map { _ in "?" as SQL }.joined(separator: ", ")
            return try connection.withUnboundStatement("SELECT \(parameters)") { statement in
                try statement.beginBinding(count: binders.count)
                try statement.bindFields(binders, of: record)
                guard let row = try statement.nextRow() else { return [] }
                return try binders.indices.map { try row.get($0) ?? .null }
            }
        }
    }
}
