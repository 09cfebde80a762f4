// # Tables
//
// Declared tables: records that rows become, and queries that the compiler checks.
//
//     try connection.insert(User(id: nil, name: "Ada", email: nil, age: 36))
//     let adults = try connection.all(User.where { $0.age > 17 }.order { $0.name })
//     let ada = try connection.find(User.self, 1)
//
// `Table` has the types of the columns. Its `TableCore` has the columns without their types, and the SQL. `Declaration`
// and `Pairing` make and check it. `Records` writes, `Reading` reads, `Paging` reads pages. `Columns` stands for a
// table in the closures of a query. `Expressions` has `Expr`, `Queries` the clauses, `Relations` joins by keys.
//
// A query runs so:
// 1. `User.where` copies the `QueryClauses` of the core, and calls the closure with `Columns` (`inScope`).
// 2. The closure makes a `Condition`: SQL, with its values as parameters.
// 3. `select` joins the clauses to a `Select`: the SQL, and a `SourceReader` for its rows.
// 4. `Connection.all` takes the statement from the cache and binds the values.
// 5. `RecordReader` makes a record of each row: `ColumnReader` passes the columns to the initialiser in their order.
//
// Invariants: A core is made once, and never changes. An error of the declaration is kept, and every verb on records
// throws it (`TableCore.check()`). The order of columns is checked with made-up values, or with the first records that
// are read (`PairingCheck`). A column is written with its table: SQLite would treat the name of a missing column in
// quotes as text. A query that begins in the closure of another one has other names for its tables. A relation loads
// nothing by itself.

/// A declared table: its columns, and the record that a row becomes.
///
///     struct User: TableRecord {
///         let id: Int64?; let name: String; let email: String?; let age: Int
///
///         static let table = Table("users", User.init) {
///             Column("id", \User.id, .primaryKey)
///             Column("name", \User.name)
///             Column("email", \User.email, .unique)
///             Column("age", \User.age, .default(0))
///         }
///     }
///
/// The initialiser takes the values of the columns in their order. The compiler checks their number and their types, and reports
/// a column in the wrong place at that column.
///
/// Columns of the same type in the wrong order are found when the table is first used: a record is made from made-up values, and
/// its properties are compared with them. Where no value of a type can be made up, the first records that are read are checked
/// instead. ``TableOption/unprobed`` turns off both checks.
///
/// `Key` is the type of the first column, which is what ``Connection/find(_:_:_:)`` takes.
public struct Table<Record, Key, Values>: RecordTable {
    @_documentation(visibility: internal)
    public let core: TableCore<Record>

    @usableFromInline
    init(core: TableCore<Record>) {
        self.core = core
    }

    /// A table whose rows become records through an initialiser.
    @inlinable
    public init<each Value>(
        _ name: String, _ make: @escaping @Sendable (Key, repeat __owned each Value) throws -> Record,
        _ options: TableOption...,
        @OrderedColumnsBuilder<Record, Key, repeat each Value> columns: () -> ColumnsToCome<Record>
    ) where Values == (Key, repeat each Value) {
        // Without `@_disfavoredOverload`: the compiler prefers the initialisers for up to twelve columns anyway. With the attribute,
        // it would try them all before this one when a table is wrong.
        core = TableCore(
            name, columns: columns().columns, options: options,
            make: { reader in try make(try reader.next(Key.self), repeat try reader.next((each Value).self)) },
            build: buildingFromSamples(make)
        )
    }

    /// A table whose rows become records through an initialiser, its columns given as arguments.
    ///
    ///     Table(
    ///         "users", User.init,
    ///         Column("id", \User.id, .primaryKey), Column("name", \User.name),
    ///         options: .strict)
    ///
    /// The form with braces reads rows faster, and its compile errors are clearer.
    @inlinable
    public init<each Value>(
        _ name: String, _ make: @escaping @Sendable (Key, repeat __owned each Value) throws -> Record,
        _ first: Column<Record, Key>, _ columns: repeat Column<Record, each Value>, options: TableOption...
    ) where Values == (Key, repeat each Value) {
        var erased = [TableColumn(first)]
        repeat erased.append(TableColumn(each columns))
        core = TableCore(
            name, columns: erased, options: options,
            make: { reader in try make(try reader.next(Key.self), repeat try reader.next((each Value).self)) },
            build: buildingFromSamples(make)
        )
    }
}

extension Table where Record: Initializable {
    /// A table whose records are made empty and then filled, property by property.
    ///
    ///     struct Point: Initializable { var x = 0; var y = 0 }
    ///
    ///     let points = Table("points", Point.self) {
    ///         Column("x", \Point.x, .primaryKey)
    ///         Column("y", \Point.y, .primaryKey)
    ///     }
    ///
    /// The first use of a table with a property that cannot be set throws.
    @inlinable
    public init<each Value>(
        _ name: String, _ type: Record.Type, _ options: TableOption...,
        @ColumnsBuilder<Record> columns: () -> (Column<Record, Key>, repeat Column<Record, each Value>)
    ) where Values == (Key, repeat each Value) {
        let (list, setters) = FieldSetter.list(columns)
        // The closure below is not a key path: Swift 6.3.1 cannot make one beside a parameter pack, and the program would stop.
        core = TableCore(
            name, columns: list, options: options,
            make: { reader in
                var record = Record()
                for setter in setters { try setter.set(&record, &reader) }
                return record
            },
            build: nil, failure: setters.lazy.compactMap { $0.failure }.first
        )
    }
}
