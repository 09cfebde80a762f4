/// Compares the public methods with the calls, and the names in the rules with those of the situations.
enum Coverage {
    /// The types whose members must have a call.
    static let types: Set<String> = [
        "Backup", "Backup.Iterator", "Blob", "BlobChunks", "BlobChunks.AsyncIterator",
        "ChangeRecorder", "ChangesetStream", "Connection", "Connection.TableAccess", "ConnectionPool",
        "ConnectionQueue", "Database", "Database.Blocking",
        "DatabaseBackup", "DatabaseBackup.Iterator", "DatabaseChanges", "DatabaseChanges.AsyncIterator",
        "DatabaseObserverToken", "FollowedLog", "InterruptHandle", "Limits", "Migrator", "ObservedDifferences",
        "ObservedDifferences.AsyncIterator", "ObservedValues", "ObservedValues.AsyncIterator", "ObserverToken",
        "PreparedInsert", "PreparedRecordInsert", "ReadSnapshot", "ReadSnapshot.Blocking", "Row", "RowCursor",
        "StoreConnection",
        "StoreConnection.TableAccess", "Schema",
        "SchemaPlan",
        "Statement", "SyncLog", "UndoHistory", "UndoHistory.Blocking",
    ]

    /// Returns the number of members, and a sentence for each that has no call.
    static func check(_ methods: PublicMethods) -> (points: Int, violations: [String]) {
        let called = Set(CallList.all.map(\.name))
        let excluded = Set(Exclusions.members.keys)
        let members = methods.members.filter { types.contains(type(of: $0)) }
        var violations = members.subtracting(called).subtracting(excluded).map { "no call of \($0)" }
        violations += called.subtracting(members).filter { !isHidden($0) }.map {
            "the call of \($0) names no public member"
        }
        violations += excluded.subtracting(members).map { "the exclusion of \($0) names no public member" }
        violations += excluded.intersection(called).map { "\($0) has a call, and is excluded" }
        let known = types.union(Exclusions.types.keys)
        violations += methods.statefulTypes.subtracting(known).map { "no calls of the type \($0)" }
        violations += methods.sequences.subtracting(known).map { "no calls of the sequence or iterator \($0)" }
        violations += ImpossibleCells.violations
        return (members.count, violations.sorted())
    }

    /// Whether the documentation hides a member, so that the compiler does not list it: those of iterators, and witnesses. It has a call all the
    /// same.
    private static func isHidden(_ member: String) -> Bool {
        type(of: member).hasSuffix("Iterator") || member.hasSuffix(".description")
    }

    private static func type(of member: String) -> String {
        let path = member.prefix { $0 != "(" }
        guard let end = path.lastIndex(of: ".") else { return "" }
        return String(path[..<end])
    }
}
