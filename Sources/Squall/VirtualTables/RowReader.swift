/// How a cursor reads the rows of its scans.
///
/// The type is not generic. Its closures are made where the table is registered, for its exact types, as those of ``FunctionBox``.
@usableFromInline
struct RowReader {
    /// Begins a scan.
    let begin: (borrowing VirtualTableScan) throws -> Void
    /// Goes to the next row, and returns its address, where it stays until the next call; `nil` after the last row.
    let next: () throws -> UnsafeRawPointer?
    /// Returns the rowid of the row; `nil` for its position.
    let rowID: () -> Int64?

    @usableFromInline
    init(
        begin: @escaping (borrowing VirtualTableScan) throws -> Void, next: @escaping () throws -> UnsafeRawPointer?,
        rowID: @escaping () -> Int64? = { nil }
    ) {
        self.begin = begin
        self.next = next
        self.rowID = rowID
    }

    /// Reads the rows of a sequence, which a closure makes for each scan.
    @inlinable
    static func rows<Rows: Sequence>(
        rowID: @escaping (Rows.Element) -> Int64? = { _ in nil },
        _ makeRows: @escaping (borrowing VirtualTableScan) throws -> Rows
    ) -> RowReader {
        let current = CurrentRow<Rows>()
        return RowReader(
            begin: { scan in
                current.end()
                current.iterator = try makeRows(scan).makeIterator()
            },
            next: { try current.advance() },
            rowID: { current.hasRow ? rowID(current.row.pointee) : nil }
        )
    }
}

/// An iterator and its row, in separate memory: SQLite requests the columns of the row one by one.
///
/// The exclusivity of its state need not be checked, which was a fifth of a scan: a statement refuses to be stepped, reset or bound by
/// code that it calls, and a cursor is of one statement.
@usableFromInline
final class CurrentRow<Rows: Sequence> {
    @usableFromInline @exclusivity(unchecked) var iterator: Rows.Iterator?
    @usableFromInline @exclusivity(unchecked) var hasRow = false
    @usableFromInline let row = UnsafeMutablePointer<Rows.Element>.allocate(capacity: 1)

    @usableFromInline
    init() {}

    deinit {
        removeRow()
        row.deallocate()
    }

    @inlinable
    @inline(__always)
    func removeRow() {
        guard hasRow else { return }
        hasRow = false
        row.deinitialize(count: 1)
    }

    @inlinable
    func end() {
        removeRow()
        iterator = nil
    }

    /// Goes to the next row. An iterator of ``ThrowingRows`` ends with its error.
    @inlinable
    @inline(__always)
    func advance() throws -> UnsafeRawPointer? {
        removeRow()
        if let next = iterator?.next() {
            row.initialize(to: next)
            hasRow = true
            return UnsafeRawPointer(row)
        }
        if let failure = (iterator as? any FailableIterator)?.failure { throw failure }
        iterator = nil
        return nil
    }
}
