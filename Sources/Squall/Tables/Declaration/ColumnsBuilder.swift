/// Puts the columns of a ``Table`` together whose record is filled property by property.
@resultBuilder
public enum ColumnsBuilder<Record> {
    @inlinable
    public static func buildBlock<Key, each Value>(
        _ first: Column<Record, Key>, _ columns: repeat Column<Record, each Value>
    ) -> (Column<Record, Key>, repeat Column<Record, each Value>) {
        (first, repeat each columns)
    }
}

/// Puts the columns of a ``Table`` together in the order of an initialiser.
///
/// The builder knows the types of the initialiser, and takes the columns one by one: the first in the wrong place is the error.
/// (Of a block that takes them as one pack, Swift 6.3.1 reports the first column, wherever the wrong one is.)
@resultBuilder
public struct OrderedColumnsBuilder<Record, Key, each Value> {
    @inlinable
    public static func buildPartialBlock(first: Column<Record, Key>) -> ColumnsToCome<Record, repeat each Value> {
        ColumnsToCome(columns: [TableColumn(first)])
    }

    @inlinable
    public static func buildPartialBlock<Next, each Later>(
        accumulated: ColumnsToCome<Record, Next, repeat each Later>, next: Column<Record, Next>
    ) -> ColumnsToCome<Record, repeat each Later> {
        ColumnsToCome(columns: accumulated.columns + [TableColumn(next)])
    }

    /// Explains what is wrong: there are more columns than the initialiser takes.
    @available(*, unavailable, message: "the initialiser takes fewer values than there are columns")
    public static func buildPartialBlock<Next>(
        accumulated: ColumnsToCome<Record>, next: Column<Record, Next>
    ) -> ColumnsToCome<Record> {
        accumulated
    }

    /// No columns, which no initialiser takes.
    @inlinable
    public static func buildBlock() -> ColumnsToCome<Record, Key, repeat each Value> {
        ColumnsToCome(columns: [])
    }
}

/// The columns of a ``Table`` so far, and the types of those that its initialiser takes next.
public struct ColumnsToCome<Record, each Value> {
    @usableFromInline let columns: [TableColumn<Record>]

    @usableFromInline
    init(columns: [TableColumn<Record>]) {
        self.columns = columns
    }
}
