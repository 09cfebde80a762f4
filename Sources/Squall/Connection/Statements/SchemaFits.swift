/// The schemas that a connection fits, and whether it must be checked again.
///
/// SQLite resolves the names of a statement when it compiles it: when it is prepared, and again when the schema has changed. A
/// result of a check therefore holds until the connection compiles a statement. The versions of its databases are then compared. If
/// they differ, the columns are read again.
struct SchemaFits {
    /// The version of a database of the connection.
    struct Version: Equatable {
        let database: String
        let file: String
        /// The number that SQLite increases at each change of the schema: the schema cookie.
        let cookie: Int
    }

    private struct Fit {
        let schema: AnyObject
        /// The versions for which the schema fits; `nil` for those of a transaction that has changed the schema. A rollback restores
        /// the cookies, and another change of the schema leads to equal ones.
        let versions: [Version]?
    }

    /// The maximum number of schemas. A program has one for each module with SQL files.
    private static let most = 16

    private var fits: [Fit] = []

    /// The schema that was required last, unless a statement was compiled afterwards. As a pointer, because comparing a reference
    /// retains it.
    private var current: UnsafeMutableRawPointer?

    /// Whether nothing was compiled since the versions were compared.
    private var isConfirmed = false

    /// Whether any schema fits. Otherwise, compilations do not matter.
    private(set) var isWatching = false

    /// Whether the open transaction may have changed the schema.
    private var hasUncommittedChange = false
}

extension SchemaFits {
    /// Whether a schema was required last, and nothing was compiled afterwards.
    @inline(__always)
    func isCurrent(_ schema: AnyObject) -> Bool { current == Unmanaged.passUnretained(schema).toOpaque() }

    /// Makes a schema the current one, if it is known to fit.
    mutating func select(_ schema: AnyObject) -> Bool {
        guard isConfirmed, fits.contains(where: { $0.schema === schema }) else { return false }
        current = Unmanaged.passUnretained(schema).toOpaque()
        return true
    }

    /// Keeps the schemas that fit these versions of the databases.
    mutating func confirm(_ versions: [Version]) {
        current = nil
        fits.removeAll { $0.versions != versions }
        isWatching = !fits.isEmpty
        isConfirmed = true
    }

    /// Adds a schema that fits. The columns were read after the versions: a change in between is noticed by its cookie.
    mutating func insert(_ schema: AnyObject, _ versions: [Version]) {
        if fits.count == Self.most { fits.removeFirst() }
        fits.append(Fit(schema: schema, versions: hasUncommittedChange ? nil : versions))
        isWatching = true
        _ = select(schema)
    }
}

// MARK: - Events

extension SchemaFits {
    /// A statement was compiled, or the database was replaced.
    mutating func didCompile() {
        current = nil
        isConfirmed = false
    }

    /// A statement has changed the schema.
    mutating func didChangeSchema(inTransaction: Bool) {
        didCompile()
        hasUncommittedChange = inTransaction
    }

    /// The list of databases has changed. A database in memory may have the name and the cookie of another one.
    mutating func didChangeDatabases() {
        didCompile()
        fits = []
        isWatching = false
    }

    /// No transaction has uncommitted changes.
    mutating func didEndTransaction() { hasUncommittedChange = false }
}
