extension Statement {
    /// The execution of a statement, from its first step to its reset. All changes of the state are the methods here.
    ///
    /// Without associated values, so that a step tests one byte. The two states on a row are the last ones: then the test
    /// is a single comparison.
    @usableFromInline
    enum Execution: Equatable {
        /// Reset. No row uses the storage.
        case idle
        /// Before the first row or after the last. A row may still use the storage.
        case offRow
        /// A loop holds the storage, before its first row or after its last.
        case loopOffRow
        /// On a row.
        case onRow
        /// A loop holds the storage, and is on a row.
        case loopOnRow

        @inlinable
        @inline(__always)
        var isOnRow: Bool {
            switch self {
            case .idle, .offRow, .loopOffRow: false
            case .onRow, .loopOnRow: true
            }
        }

        /// Whether a loop holds the storage.
        @inline(__always)
        var isInLoop: Bool { self == .loopOffRow || self == .loopOnRow }
    }
}

// MARK: - Transitions

extension Statement.Execution {
    /// A row is about to use the storage.
    @inline(__always)
    mutating func beginReading() {
        if self == .idle { self = .offRow }
    }

    /// A loop takes the storage.
    mutating func beginLoop() { self = isOnRow ? .loopOnRow : .loopOffRow }

    /// A loop returns the storage.
    mutating func endLoop() { self = isOnRow ? .onRow : .offRow }

    /// The first step has returned a row.
    @inlinable
    @inline(__always)
    mutating func enterRow() { self = self == .loopOffRow ? .loopOnRow : .onRow }

    /// SQLite has reset the statement, whose rows may still use the storage.
    mutating func leaveRow() {
        switch self {
        case .onRow: self = .offRow
        case .loopOnRow: self = .loopOffRow
        case .idle, .offRow, .loopOffRow: break
        }
    }

    /// The statement is reset, and its rows no longer use the storage.
    ///
    /// - Returns: Whether SQLite must still reset the statement.
    mutating func rewind() -> Bool {
        defer { self = .idle }
        return isOnRow
    }
}
