import Squall

/// The pairs that the library refuses, with the reasons.
enum Refusals {
    /// The features that record the changes of rows.
    private static let recordings: [Feature] = [.undo, .recording, .sync, .peers, .patchset, .stream, .rebase]

    /// The features that the library does not let meet, with the case of the problem that it throws.
    static let expected: [(features: [Feature], others: [Feature], problem: String)] = [
        // SQLite reports other columns than those that were changed.
        ([.virtualColumn, .storedColumn], recordings, "RecordingProblem.generatedColumns"),
        // Two keys that are equal for the table are two rows for a session.
        ([.inexactKey, .untypedKey], recordings, "RecordingProblem.inexactKey"),
        // An index is by rowid: without a column that is one, VACUUM would give rows others.
        (
            [.withoutRowID, .untypedKey, .textKey, .inexactKey, .compositeKey, .uuidKey],
            [.searchExternal, .searchOwn, .searchConditional, .searchCJK, .searchTrigram, .searchPorter],
            "SearchTableProblem.noRowID"
        ),
        // The keys of entries are integers.
        ([.untypedKey, .textKey, .inexactKey, .uuidKey], [.spatial], "SpatialProblem.key"),
        // One database has one log.
        ([.sync], [.peers], "SyncProblem.otherLog"),
        // SQLite has no handle of a value for these tables, or no trigger would run.
        ([.withoutRowID], [.blobs], "BlobProblem.withoutRowID"),
        ([.virtualColumn, .storedColumn], [.blobs], "BlobProblem.generatedColumns"),
        ([.partialIndex, .functionIndex], [.blobs], "BlobProblem.indexedColumn"),
        ([.searchConditional], [.blobs], "BlobProblem.derivedIndex"),
    ]

    /// Whether a pair may be refused with an error.
    static func allows(_ pair: Pair, _ reason: String) -> Bool {
        expected(for: pair).contains { reason.hasPrefix($0) }
    }

    /// Returns the problems with which a pair is refused when its features are set up.
    static func required(for pair: Pair) -> [String] {
        // The others are refused by a step, which a short run may not have.
        expected(for: pair).filter { !$0.hasPrefix("BlobProblem") }
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
