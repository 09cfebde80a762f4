/// An error of a schema change. The version or the plan that failed is rolled back completely.
public enum SchemaError: Error, Equatable, Sendable {
    /// A transaction is open. A rebuild must turn foreign keys off, which SQLite allows only outside a transaction.
    case insideTransaction
    /// The version of the file is later than the latest version of the schema.
    case newerFile(version: Int, latest: Int)
    /// The schema does not have the version. It is the target, or the version of the file.
    case unknownVersion(Int)
    /// The version of the file is later than the target. Going back is possible only to version 0.
    case unreachableVersion(Int, from: Int)
    /// The steps of these versions were changed after the file ran them.
    case editedVersions([Int])
    /// The file has a later version but never ran these, which were added to the schema afterwards.
    case skippedVersions([Int])
    /// Rows would refer to missing rows, which they did not do before.
    case foreignKeysViolated([ForeignKeyViolation], table: String, parent: String)
    /// The file also has other schemas, and going back to 0 would delete them.
    case sharedFile(with: [String])
    /// The table, column, index or constraint does not exist.
    case notFound(String)
    /// The object already exists.
    case alreadyExists(String)
    /// The versions or definitions are invalid; one line for each problem.
    case invalid([String])
    /// Another object uses the one to be dropped, and would be broken.
    case inUse(String)
    /// The plan would lose data that it is not allowed to lose. Nothing was done.
    case losses([SchemaLoss])
    /// The rows of a table prevent the plan. Each reason names its cures.
    case obstacles([String])
    /// The file was changed after the plan was made.
    case planIsStale
    /// The history in the file is damaged.
    case damagedHistory(String)
    /// The schema of the database has a definition that SQLite would not have stored. Nothing of it was run.
    case damagedSchema(String)
    /// Another connection kept the file locked.
    case stillLocked(after: Duration)
}

extension SchemaError: CustomStringConvertible {
    @_documentation(visibility: internal)
    public var description: String {
        switch self {
        case .insideTransaction:
            "a schema cannot be changed inside a transaction"
        case .newerFile(let version, let latest):
            "the file has version \(version), which is later than the latest version of the schema, \(latest)"
        case .unknownVersion(let version):
            "the schema has no version \(version)"
        case .unreachableVersion(let target, let version):
            "the file has version \(version): it can go back to version 0 only, not to \(target)"
        case .editedVersions(let versions):
            "versions that the file has already run were edited: \(versions.map { "\($0)" }.joined(separator: ", "))"
        case .skippedVersions(let versions):
            "the file has a later version, but never ran \(versions.map { "version \($0)" }.joined(separator: ", ")): "
                + "give the added versions higher numbers, or run them (MigrationOptions.runSkippedVersions)"
        case .foreignKeysViolated(let violations, let table, let parent):
            "foreign keys are violated: "
                + (violations.count == 1
                    ? "1 row of \"\(table)\" refers to a row of \"\(parent)\" that is not there"
                    : "\(violations.count) rows of \"\(table)\" refer to rows of \"\(parent)\" that are not there")
                + Self.rowIDs(of: violations)
        case .sharedFile(let schemas):
            "the file also has other schemas: \(schemas.joined(separator: ", "))"
        case .notFound(let what): "there is no \(what)"
        case .alreadyExists(let what): "\(what) already exists"
        case .invalid(let reasons): reasons.joined(separator: "\n")
        case .inUse(let what): what
        case .losses(let losses):
            "the plan would lose " + losses.map(\.description).joined(separator: ", ")
        case .obstacles(let reasons): reasons.joined(separator: "\n")
        case .planIsStale: "the file has been changed since the plan was made"
        case .damagedHistory(let reason), .damagedSchema(let reason): reason
        case .stillLocked(let duration): "the file has been locked by another connection for \(duration)"
        }
    }

    /// Returns the error with the place where it was thrown in its text: `version 2, AlterTable contacts`.
    func at(_ place: String) -> SchemaError {
        switch self {
        case .notFound(let what): .notFound("\(what) (\(place))")
        case .alreadyExists(let what): .alreadyExists("\(what) (\(place))")
        case .inUse(let what): .inUse("\(what) (\(place))")
        case .invalid(let reasons): .invalid(reasons.map { "\($0) (\(place))" })
        case .obstacles(let reasons): .obstacles(reasons.map { "\($0) (\(place))" })
        default: self
        }
    }

    private static func rowIDs(of violations: [ForeignKeyViolation]) -> String {
        let list = violations.compactMap(\.rowID).prefix(5).map { "\($0)" }.joined(separator: ", ")
        return list.isEmpty ? "" : " (rowid \(list)\(violations.count > 5 ? ", …" : ""))"
    }
}
