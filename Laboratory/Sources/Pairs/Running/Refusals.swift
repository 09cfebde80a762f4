import Squall

/// The pairs that the library refuses, with the reasons.
enum Refusals {
    /// The features that record the changes of rows.
    private static let recordings: [Feature] = [
        .undo, .recording, .sync, .peers, .patchset, .stream, .rebase, .subsets, .divergence,
    ]

    /// The features that the library does not let meet, with the case of the problem that it throws, and a row of the guide "Safety".
    static let expected: [(features: [Feature], others: [Feature], problem: String, row: GuideRow)] = [
        (
            [.virtualColumn, .storedColumn], recordings, "RecordingProblem.generatedColumns",
            GuideRow(
                "generated columns", "undo histories, recorded changes, sync logs",
                reason: "sessions of SQLite report other columns than those that were changed",
                instead: "compute the value in a view or a query")
        ),
        (
            [.inexactKey, .untypedKey], recordings, "RecordingProblem.inexactKey",
            GuideRow(
                "a primary key without a type, or with another collation than BINARY",
                "undo histories, recorded changes, sync logs",
                reason: "keys that are equal for the table are those of two rows for a session",
                instead: "a key that is INTEGER, or TEXT with the collation BINARY")
        ),
        (
            [.withoutRowID, .untypedKey, .textKey, .inexactKey, .compositeKey, .uuidKey],
            [
                .searchExternal, .searchOwn, .searchConditional, .searchCJK, .searchTrigram, .searchPorter,
                .searchContentless, .searchASCII, .searchPrefixes, .searchConditionalOwn, .searchSeveral,
            ],
            "SearchTableProblem.noRowID",
            GuideRow(
                "a table without an INTEGER PRIMARY KEY", "search tables that follow it",
                reason: "an index is by rowid, and VACUUM would give the rows others",
                instead: "an INTEGER PRIMARY KEY beside a UNIQUE column")
        ),
        (
            [.untypedKey, .textKey, .inexactKey, .uuidKey], [.spatial, .spatialInteger], "SpatialProblem.key",
            GuideRow(
                "a primary key that is not INTEGER", "R\\*Trees that follow the table",
                reason: "the keys of entries are integers", instead: "an INTEGER PRIMARY KEY beside a UNIQUE column")
        ),
        (
            [.sync], [.peers], "SyncProblem.otherLog",
            GuideRow(
                "a sync log", "a sync log with another role or origin",
                reason: "a database has one log", instead: "one log for all tables")
        ),
        (
            [.withoutRowID], [.blobs], "BlobProblem.withoutRowID",
            GuideRow(
                "WITHOUT ROWID", "values in parts (`withBlob`)",
                reason: "SQLite finds the value by the rowid", instead: "whole values, or another table for them")
        ),
        (
            [.virtualColumn, .storedColumn], [.blobs], "BlobProblem.generatedColumns",
            GuideRow(
                "generated columns", "values in parts (`withBlob`)",
                reason: "some versions of SQLite open another column than the one that is named",
                instead: "whole values, or another table for them")
        ),
        (
            [.partialIndex, .functionIndex], [.blobs], "BlobProblem.indexedColumn",
            GuideRow(
                "an index of an expression", "values written in parts (`withBlob`)",
                reason: "SQLite would not update the index", instead: "whole values, or another table for them")
        ),
        (
            [.searchConditional, .searchConditionalOwn, .searchSeveral], [.blobs], "BlobProblem.derivedIndex",
            GuideRow(
                "a search table with a condition", "values written in parts (`withBlob`)",
                reason: "triggers, which keep the index in step, would not run",
                instead: "whole values, or another table for them")
        ),
    ]

    /// Whether a pair may be refused with an error.
    static func allows(_ pair: Pair, _ reason: String) -> Bool {
        expected(for: pair).contains { reason.hasPrefix($0) }
    }

    /// Returns the problems with which a pair is refused when its features are set up.
    static func required(for pair: Pair) -> [String] {
        expected(for: pair).filter { !$0.hasPrefix("BlobProblem") }
    }

    /// Returns the problems of which a step of a pair is refused with one.
    static func required(inStepsOf pair: Pair) -> [String] {
        expected(for: pair).filter { $0.hasPrefix("BlobProblem") }
    }

    private static func expected(for pair: Pair) -> [String] {
        let features = pair.features
        return expected.filter { entry in
            features.indices.contains { index in
                entry.features.contains(features[index])
                    && features.indices.contains { $0 != index && entry.others.contains(features[$0]) }
            }
        }.map(\.problem)
    }

    /// Whether an error names its reason by a type.
    static func isTyped(_ error: SQLiteError) -> Bool {
        if case .problem = error.kind { true } else { false }
    }

    /// The reason of an error, for the matrix.
    static func reason(_ error: SQLiteError) -> String {
        if case .problem(let problem) = error.kind { "\(problem)" } else { "an error without a type: \(error)" }
    }
}
