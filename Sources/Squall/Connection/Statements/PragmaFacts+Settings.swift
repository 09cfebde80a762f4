extension PragmaFacts {
    /// Whether only the connection that writes may run the PRAGMA: see ``Connection/Access``.
    var isForbiddenInReads: Bool {
        name == "wal_checkpoint" || isSet && ["journal_mode", "locking_mode", "query_only"].contains(name)
    }

    /// Whether the PRAGMA changes a setting of the connection that affects later statements. Settings of the file and
    /// of the process are not meant.
    var isSetting: Bool { isSet && Self.settings.contains(name) }

    private static let settings: Set<Identifier> = [
        "analysis_limit", "automatic_index", "busy_timeout", "cache_size", "cache_spill", "case_sensitive_like",
        "cell_size_check", "checkpoint_fullfsync", "count_changes", "defer_foreign_keys", "empty_result_callbacks",
        "foreign_keys", "full_column_names", "fullfsync", "ignore_check_constraints", "journal_size_limit",
        "legacy_alter_table", "mmap_size", "query_only", "read_uncommitted", "recursive_triggers",
        "reverse_unordered_selects", "secure_delete", "short_column_names", "synchronous", "threads", "trusted_schema",
        "writable_schema",
    ]

    /// Whether the PRAGMA lets SQLite write temporary tables and sorts to files.
    var allowsTemporaryFiles: Bool {
        name == "temp_store" && isSet && firstOfValue.map { ["memory", "2"].contains($0) } != true
    }

    /// Whether a PRAGMA without a database name sets every database of the connection, or returns a value that depends
    /// on another database.
    static func isOfAllDatabases(_ name: Identifier) -> Bool {
        ["secure_delete", "mmap_size", "cache_spill"].contains(name)
    }
}
