import Squall

extension Connection {
    /// Applies changes to the tables of `main` that have the same names.
    ///
    ///     let resolutions = try other.apply(changes) { conflict in
    ///         conflict.kind == .data ? .replace : .omit
    ///     }
    ///
    /// It is one transaction, or a savepoint inside a transaction: after an error nothing of it is left. Foreign keys are checked at
    /// its end; their actions do not run if the changes have tables between which there are some. Hooks and observers are called as for
    /// statements, and triggers run, whose changes of recorded tables may be among the changes too: see
    /// ``Changeset/ApplyOptions/withoutTriggers``. A table may have more columns, at its end, than the changes.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - options: How the changes are applied.
    ///   - resolve: Answers a conflict. It may use the connection. Without it, a conflict ends the changes with an error.
    /// - Returns: The answers to the conflicts, with which local changes can be rebased.
    /// - Throws: The error of the closure; `SQLiteError`: with a ``ChangesetProblem`` for damaged bytes, for a table
    ///   that does not exist or does not fit, and `SQLITE_ABORT` (4) for the answer ``Changeset/Answer/abort``; `SQLITE_ERROR` (1) if
    ///   SQLite was built without sessions.
    @discardableResult
    public func apply(
        _ changes: Changeset, options: Changeset.ApplyOptions = [],
        _ resolve: @escaping (Changeset.Conflict) throws -> Changeset.Answer = { _ in .abort }
    ) throws -> Resolutions {
        try apply(changes, to: { _ in true }, options: options, resolve)
    }

    /// Applies the changes of some tables; see ``apply(_:options:_:)-(Changeset,_,_)``.
    ///
    ///     try other.apply(changes, to: { $0 != "log" }) { _ in .omit }
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - isIncluded: Whether the changes of a table are applied.
    ///   - options: How the changes are applied.
    ///   - resolve: Answers a conflict. It may use the connection. Without it, a conflict ends the changes with an error.
    /// - Returns: The answers to the conflicts, with which local changes can be rebased.
    /// - Throws: As ``apply(_:options:_:)-(Changeset,_,_)``.
    // Disfavoured, so that a closure without a label is `resolve`.
    @_disfavoredOverload
    @discardableResult
    public func apply(
        _ changes: Changeset, to isIncluded: @escaping (String) -> Bool, options: Changeset.ApplyOptions = [],
        _ resolve: @escaping (Changeset.Conflict) throws -> Changeset.Answer = { _ in .abort }
    ) throws -> Resolutions {
        try apply(.bytes(changes), isIncluded, options, resolve)
    }

    /// Applies changes that are read in parts; see ``apply(_:options:_:)-(Changeset,_,_)``.
    ///
    /// - Throws: As ``apply(_:options:_:)-(Changeset,_,_)``; the error of the stream.
    @discardableResult
    public func apply(
        _ stream: ChangesetStream, options: Changeset.ApplyOptions = [],
        _ resolve: @escaping (Changeset.Conflict) throws -> Changeset.Answer = { _ in .abort }
    ) throws -> Resolutions {
        try apply(.stream(stream), { _ in true }, options, resolve)
    }

    /// Applies changes of some tables, which are read in parts; see ``apply(_:options:_:)-(Changeset,_,_)``.
    ///
    /// - Throws: As ``apply(_:options:_:)-(Changeset,_,_)``; the error of the stream.
    @_disfavoredOverload
    @discardableResult
    public func apply(
        _ stream: ChangesetStream, to isIncluded: @escaping (String) -> Bool, options: Changeset.ApplyOptions = [],
        _ resolve: @escaping (Changeset.Conflict) throws -> Changeset.Answer = { _ in .abort }
    ) throws -> Resolutions {
        try apply(.stream(stream), isIncluded, options, resolve)
    }

    /// Applies changes where the triggers of the program do not run.
    ///
    /// - Parameter tables: The tables of `main`.
    func applyWithoutTriggers(
        _ changes: Changeset, to tables: [Identifier: RecordedTable],
        _ resolve: @escaping (Changeset.Conflict) throws -> Changeset.Answer
    ) throws {
        _ = try apply(.bytes(changes), to: tables, { _ in true }, [], runsTriggers: false, resolve)
    }

    private func apply(
        _ input: ChangesetInput, _ isIncluded: @escaping (String) -> Bool, _ options: Changeset.ApplyOptions,
        _ resolve: @escaping (Changeset.Conflict) throws -> Changeset.Answer
    ) throws -> Resolutions {
        try Changeset.checkSessions()
        let runsTriggers = !options.contains(.withoutTriggers)
        let body = {
            let apply = {
                let tables = try self.recordedTablesByName(in: "main")
                return try self.apply(input, to: tables, isIncluded, options, runsTriggers: runsTriggers, resolve)
            }
            return runsTriggers ? try apply() : try self.withoutProgramTriggers(apply)
        }
        if isInTransaction { return try savepoint(named: "squall_apply", closure: body) }
        return try transaction(transactionType: .immediate, closure: body)
    }

    private func apply(
        _ input: ChangesetInput, to tables: [Identifier: RecordedTable], _ isIncluded: @escaping (String) -> Bool,
        _ options: Changeset.ApplyOptions, runsTriggers: Bool,
        _ resolve: @escaping (Changeset.Conflict) throws -> Changeset.Answer
    ) throws -> Resolutions {
        try ChangesetApplication(self, tables, isIncluded, options, runsTriggers: runsTriggers, resolve).run(input)
    }
}
