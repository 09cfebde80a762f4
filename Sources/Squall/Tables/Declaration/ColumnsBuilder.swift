/// Collects the columns of a ``Table`` whose records are filled property by property.
@_documentation(visibility: internal)
@resultBuilder
public enum ColumnsBuilder<Record> {
    @_documentation(visibility: internal)
    @inlinable
    public static func buildBlock<Key, each Value>(
        _ first: Column<Record, Key>, _ columns: repeat Column<Record, each Value>
    ) -> (Column<Record, Key>, repeat Column<Record, each Value>) {
        (first, repeat each columns)
    }
}

/// Collects the columns of a ``Table`` in the order of an initialiser.
///
/// The builder knows the types of the initialiser and takes the columns one by one, so that the compiler reports the first one in
/// the wrong place. For a block that takes them as one pack, Swift 6.3.1 reports the first column, wherever the wrong one is.
@_documentation(visibility: internal)
@resultBuilder
public struct OrderedColumnsBuilder<Record, Key, each Value> {
    @_documentation(visibility: internal)
    @inlinable
    public static func buildPartialBlock(first: Column<Record, Key>) -> ColumnsToCome<Record, repeat each Value> {
        ColumnsToCome(columns: [TableColumn(first)])
    }

    @_documentation(visibility: internal)
    @inlinable
    public static func buildPartialBlock<Next, each Later>(
        accumulated: ColumnsToCome<Record, Next, repeat each Later>, next: Column<Record, Next>
    ) -> ColumnsToCome<Record, repeat each Later> {
        ColumnsToCome(columns: accumulated.columns + [TableColumn(next)])
    }

    /// Explains the error for more columns than the initialiser takes.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "the initialiser takes fewer values than there are columns")
    public static func buildPartialBlock<Next>(
        accumulated: ColumnsToCome<Record>, next: Column<Record, Next>
    ) -> ColumnsToCome<Record> {
        accumulated
    }

    @_documentation(visibility: internal)
    @inlinable
    public static func buildFinalResult(_ columns: ColumnsToCome<Record>) -> ColumnsToCome<Record> { columns }

    /// Explains the error for fewer columns than the initialiser takes.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "the initialiser takes more values than there are columns")
    @_disfavoredOverload
    public static func buildFinalResult<Next, each Later>(
        _ columns: ColumnsToCome<Record, Next, repeat each Later>
    ) -> ColumnsToCome<Record> {
        ColumnsToCome(columns: columns.columns)
    }

    /// A block without columns, which no initialiser takes.
    @_documentation(visibility: internal)
    @inlinable
    public static func buildBlock() -> ColumnsToCome<Record, Key, repeat each Value> {
        ColumnsToCome(columns: [])
    }
}

/// The columns of a ``Table`` so far, and the types of those that its initialiser takes next.
@_documentation(visibility: internal)
public struct ColumnsToCome<Record, each Value> {
    @usableFromInline let columns: [TableColumn<Record>]

    @usableFromInline
    init(columns: [TableColumn<Record>]) {
        self.columns = columns
    }
}
