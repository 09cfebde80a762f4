// # VirtualTables
//
// Rows that Swift code makes while SQL reads them: virtual tables, table functions, and arrays as tables.
//
//     try connection.addTableFunction("split", columns: "part") { (text: String, by: String) in
//         text.split(separator: by)
//     }
//     let parts: [String] = try connection.query("SELECT part FROM split('a,b,c', ',')")
//
// `ModuleBox` is a registered module, which SQLite owns. It makes a `TableBox`: the closures of a source, without its
// types. `OpenTable` is a table that SQLite has open, and `CursorBox` one of its cursors, with a `RowReader`.
// `ModuleCallbacks.swift` has the C functions. A table function is a module whose parameters are hidden columns.
//
// A statement reads a table so:
// 1. SQLite connects to the table: `ModuleBox.make` makes the source, and SQLite receives its `CREATE TABLE`.
// 2. SQLite plans: `TableBox.plan` passes the conditions to `plan(_:)` of the source, and writes the `Plan` for SQLite.
// 3. SQLite begins a scan: `CursorBox.begin` passes the `Scan`, with the values of the conditions, to `rows(_:)`.
// 4. SQLite steps: the reader takes the next element. A `FieldBinder` sets each column that SQLite requests.
//
// Invariants: The rows of a source are not stored: a row stays in its place until the next step. All code of the source
// counts as a call of SQLite. `plan`, `drop` and the functions of transactions cannot use the connection. The statement
// throws the error that the code has thrown, with its type (`Callbacks.thrownError`). SQLite calls nothing of a cursor
// after it has closed it, and so no object is retained for a call. While a table is made, `checkMayRunInCall` allows
// only some statements.

/// The content of a virtual table: rows that Swift code makes while SQL reads them.
///
/// Nothing is stored or copied. SQLite passes the conditions of a statement to ``plan(_:)``, which chooses those that the table can use,
/// and ``rows(_:)`` then returns the rows of each scan.
///
///     struct Powers: TableSource {
///         let base: Int64
///         var columns: [VirtualColumn<Int64>] { [VirtualColumn("power") { $0 }] }
///         func rows(_ scan: borrowing Scan) -> some Sequence<Int64> {
///             sequence(first: 1) { $0 > Int64.max / base ? nil : $0 * base }
///         }
///     }
///     try connection.register(named: "powers") { _ in Powers(base: 2) }
///     let few: [Int] = try connection.query("SELECT power FROM powers LIMIT 3")
///
/// A ``VirtualTable`` is a source that SQLite makes itself, and a ``WritableTableSource`` one that can be changed by SQL. A function of
/// arguments that returns rows is simpler to write with `addTableFunction` of ``Connection``; see <doc:VirtualTables>.
///
/// An error that one of these functions throws ends the statement, which throws the same error. ``plan(_:)``, ``drop()`` and the `deinit`
/// of what the table owns cannot use the connection: every call throws. The others may use it, but must not close it, and must not retain
/// it: capture it `weak` or `unowned`.
public protocol TableSource {
    /// The rows of one scan. Use ``ThrowingRows`` for rows whose making can fail.
    associatedtype Rows: Sequence

    /// The columns, which are read once for each connection that uses the table.
    var columns: [VirtualColumn<Rows.Element>] { get throws }

    /// Chooses how to read the table for a statement. The default reads all rows, and leaves all conditions to SQLite.
    func plan(_ query: VirtualTablePlanQuery) throws -> VirtualTablePlan

    /// Returns the rows of one scan of a plan. SQLite stops reading where the statement does.
    func rows(_ scan: borrowing VirtualTableScan) throws -> Rows

    /// Returns the rowid of a row, which must be the same in every scan and differ from those of all other rows.
    ///
    /// The default is `nil`: the rowid is then the position of the row in the scan, or for a table with parameters a number that depends
    /// on their values too, and is another one in each process. A table whose plans use conditions has no such positions,
    /// and a statement that needs its rowids fails. Besides those that name the rowid, these are statements with `OR`, for which SQLite
    /// combines several scans.
    func rowID(of row: Rows.Element) -> Int64?

    /// Removes what the table keeps elsewhere. SQLite calls it for `DROP TABLE`.
    func drop() throws
}

extension TableSource {
    /// The short name of a plan, in a source and as `VirtualTable.Plan`.
    public typealias Plan = VirtualTablePlan
    /// The short name of a request for a plan, in a source and as `VirtualTable.PlanQuery`.
    public typealias PlanQuery = VirtualTablePlanQuery
    /// The short name of a condition, in a source and as `VirtualTable.Constraint`.
    public typealias Constraint = VirtualTableConstraint
    /// The short name of a scan, in a source and as `VirtualTable.Scan`.
    public typealias Scan = VirtualTableScan

    public func plan(_ query: VirtualTablePlanQuery) throws -> VirtualTablePlan { VirtualTablePlan() }

    public func rowID(of row: Rows.Element) -> Int64? { nil }

    public func drop() throws {}
}

/// A table that SQLite makes from the arguments of `CREATE VIRTUAL TABLE`, or without arguments when SQL names its module.
///
///     struct Lines: VirtualTable {
///         let text: String
///         init(_ arguments: TableArguments) throws {
///             text = try arguments.required("text")
///         }
///         var columns: [VirtualColumn<Substring>] { [VirtualColumn("line") { $0 }] }
///         func rows(_ scan: borrowing Scan) -> [Substring] { text.split(separator: "\n") }
///     }
///     try connection.register(Lines.self, named: "lines")
///     try connection.execute("CREATE VIRTUAL TABLE temp.poem USING lines(text='one\ntwo')")
public protocol VirtualTable: TableSource {
    /// Makes the table: when it is created, and when a connection first uses a table that exists.
    init(_ arguments: TableArguments) throws
}
