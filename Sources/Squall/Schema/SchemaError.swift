/// Why a file cannot be brought to a schema. Nothing of the version, or of the plan, that failed has been done.
public enum SchemaError: Error, Equatable, Sendable {
    /// A transaction is open. Foreign keys can be switched off, as a rebuild must, only outside of one.
    case insideTransaction
    /// The file has a version that is later than all of the schema's.
    case newerFile(version: Int, latest: Int)
    /// There is no such version in the schema; or the file has one between the schema's.
    case unknownVersion(Int)
    /// The file has a later version than the target, and going back is possible only to 0.
    case unreachableVersion(Int, from: Int)
    /// These versions are in the file, and what they do was changed in the program since.
    case editedVersions([Int])
    /// The file has a later version than these, and has not had them: they were added to the schema afterwards.
    case skippedVersions([Int])
    /// Rows would refer to ones that are not there, and did not before.
    case foreignKeysViolated([ForeignKeyViolation], table: String, parent: String)
    /// The file has other schemas too, which going back to 0 would delete.
    case sharedFile(with: [String])
    /// There is no such table, column, index or constraint.
    case notFound(String)
    /// It is there already.
    case alreadyExists(String)
    /// What the versions of a schema say cannot be.
    case invalid([String])
    /// What is dropped is used by something that would be broken.
    case inUse(String)
    /// A plan would lose what it was not allowed to; nothing was done.
    case losses([SchemaLoss])
    /// A plan cannot be carried out with the rows that are there; each with its cures.
    case obstacles([String])
    /// The file has been changed since the plan was made.
    case planIsStale
    /// What the file says about its versions makes no sense.
    case damagedHistory(String)
    /// Another connection has kept the file locked.
    case stillLocked(after: Duration)
}

extension SchemaError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .insideTransaction:
            "a schema cannot be changed inside a transaction"
        case .newerFile(let version, let latest):
            "the file has version \(version), and the schema knows only versions up to \(latest)"
        case .unknownVersion(let version):
            "the schema has no version \(version)"
        case .unreachableVersion(let target, let version):
            "the file has version \(version): going back is possible to version 0 only, and not to \(target)"
        case .editedVersions(let versions):
            "versions that the file has already had were edited: \(versions.map { "\($0)" }.joined(separator: ", "))"
        case .skippedVersions(let versions):
            "the file has a later version, and has not had \(versions.map { "version \($0)" }.joined(separator: ", ")): "
                + "give what was added since a higher number, or run it (MigrationOptions.runSkippedVersions)"
        case .foreignKeysViolated(let violations, let table, let parent):
            "foreign keys are violated: \(violations.count) rows of \"\(table)\" refer to rows of \"\(parent)\" that are "
                + "not there" + Self.rowIDs(of: violations)
        case .sharedFile(let schemas):
            "the file has other schemas too: \(schemas.joined(separator: ", "))"
        case .notFound(let what): "there is no \(what)"
        case .alreadyExists(let what): "there is \(what) already"
        case .invalid(let reasons): reasons.joined(separator: "\n")
        case .inUse(let what): what
        case .losses(let losses):
            "the plan would lose " + losses.map(\.description).joined(separator: ", ")
        case .obstacles(let reasons): reasons.joined(separator: "\n")
        case .planIsStale: "the file has been changed since the plan was made"
        case .damagedHistory(let reason): reason
        case .stillLocked(let duration): "the file has been locked by another connection for \(duration)"
        }
    }

    /// The error with the place where it was thrown, `version 2, AlterTable contacts`, in its text.
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
