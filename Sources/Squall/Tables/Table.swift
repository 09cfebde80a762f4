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
/// The initialiser takes the values of the columns in their order: the compiler checks how many there are and their types, and
/// reports a column in the wrong place where it stands. Columns of the same type in the wrong order are found when the table
/// is first used: it makes a record from made-up values and looks where they come out. Where no value of a column's type can
/// be made up, the first records that are read are used instead (``TableOption/unprobed`` turns both off).
///
/// `Key` is the type of the first column, which is what ``Connection/find(_:_:_:)`` takes.
public struct Table<Record, Key, Values>: RecordTable {
    public let core: TableCore<Record>

    @usableFromInline
    init(core: TableCore<Record>) {
        self.core = core
    }

    /// A table whose rows become records through an initialiser.
    ///
    /// (Not `@_disfavoredOverload`: the others, for up to twelve columns, are preferred as they are, and of a wrong table the
    /// compiler would try them all before this one.)
    @inlinable
    public init<each Value>(
        _ name: String, _ make: @escaping @Sendable (Key, repeat __owned each Value) throws -> Record,
        _ options: TableOption...,
        @OrderedColumnsBuilder<Record, Key, repeat each Value> columns: () -> ColumnsToCome<Record>
    ) where Values == (Key, repeat each Value) {
        core = TableCore(
            name, columns: columns().columns, options: options,
            make: { cursor in try make(try cursor.next(Key.self), repeat try cursor.next((each Value).self)) },
            build: { values in
                var samples = SampleReader(values)
                return try make(try samples.next(Key.self), repeat try samples.next((each Value).self))
            }
        )
    }

    /// A table whose rows become records through an initialiser, its columns given as arguments.
    ///
    ///     Table("users", User.init, Column("id", \User.id, .primaryKey), Column("name", \User.name), options: .strict)
    ///
    /// The form with braces reads rows faster, and its compile errors are better.
    @inlinable
    public init<each Value>(
        _ name: String, _ make: @escaping @Sendable (Key, repeat __owned each Value) throws -> Record,
        _ first: Column<Record, Key>, _ columns: repeat Column<Record, each Value>, options: TableOption...
    ) where Values == (Key, repeat each Value) {
        var erased = [TableColumn(first)]
        repeat erased.append(TableColumn(each columns))
        core = TableCore(
            name, columns: erased, options: options,
            make: { cursor in try make(try cursor.next(Key.self), repeat try cursor.next((each Value).self)) },
            build: { values in
                var samples = SampleReader(values)
                return try make(try samples.next(Key.self), repeat try samples.next((each Value).self))
            }
        )
    }
}

extension Table where Record: Initializable {
    /// A table whose rows become records that are made empty and then filled, property by property.
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
        let (list, readers) = FieldReader.list(columns)
        // (A key path in place of the closure below stops the program: Swift 6.3.1 cannot make one beside a pack.)
        core = TableCore(
            name, columns: list, options: options,
            make: { cursor in
                var record = Record()
                for reader in readers { try reader.read(&record, &cursor) }
                return record
            },
            build: nil, failure: readers.lazy.compactMap { $0.failure }.first
        )
    }
}

/// A type whose values can be made empty, for a ``Table`` that is declared by properties that can be set.
public protocol Initializable: SendableMetatype {
    init()
}

/// The part of a ``Table`` that does not depend on the types of its columns.
public protocol RecordTable<Record>: Sendable {
    associatedtype Record
    /// The type of the first column, by which a record is found.
    associatedtype Key
    var core: TableCore<Record> { get }
}

/// A record with a table of its own.
public protocol TableRecord: SendableMetatype {
    associatedtype DeclaredTable: RecordTable where DeclaredTable.Record == Self

    /// The table.
    static var table: DeclaredTable { get }
}

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

/// Hands out made-up values, one after the other.
@usableFromInline
struct SampleReader {
    private var values: ArraySlice<Any>

    @usableFromInline
    init(_ values: [Any]) {
        self.values = values[...]
    }

    @usableFromInline
    mutating func next<Value>(_ type: Value.Type) throws -> Value {
        guard let value = values.popFirst() as? Value else {
            throw SQLiteError.misuse(.unstorable("no \(type) can be made up"))
        }
        return value
    }
}

/// Reads one field of a record that is there already.
@usableFromInline
struct FieldReader<Record>: Sendable {
    @usableFromInline let read: @Sendable (inout Record, inout RecordCursor) throws -> Void
    /// Why it cannot.
    @usableFromInline var failure: SQLiteError?

    @inlinable
    init<Value>(_ column: Column<Record, Value>) {
        let missing = column.readOnlyPropertyError
        guard let field = SettableField(column.keyPath) else {
            read = { _, _ in throw missing }
            failure = missing
            return
        }
        if let offset = field.offset {
            read = { record, cursor in
                let value = try cursor.next(Value.self)
                withUnsafeMutableBytes(of: &record) { bytes in
                    guard let start = bytes.baseAddress else { return }
                    start.advanced(by: offset).assumingMemoryBound(to: Value.self).pointee = value
                }
            }
        } else {
            read = { record, cursor in record[keyPath: field.keyPath] = try cursor.next(Value.self) }
        }
    }
}

/// A property that can be set.
///
/// `@unchecked`: the key path is the same object as one that is `Sendable`, which a cast cannot say.
@usableFromInline
struct SettableField<Record, Value>: @unchecked Sendable {
    @usableFromInline let keyPath: WritableKeyPath<Record, Value>
    @usableFromInline let offset: Int?

    @inlinable
    init?(_ keyPath: any KeyPath<Record, Value> & Sendable) {
        guard let keyPath = keyPath as? WritableKeyPath<Record, Value> else { return nil }
        self.keyPath = keyPath
        self.offset = MemoryLayout<Record>.offset(of: keyPath)
    }
}

extension FieldReader {
    /// The columns of a table, and how their fields are set.
    @inlinable
    static func list<each Value>(
        _ columns: () -> (repeat Column<Record, each Value>)
    ) -> ([TableColumn<Record>], [FieldReader]) {
        let columns = columns()
        var list: [TableColumn<Record>] = []
        var readers: [FieldReader] = []
        repeat list.append(TableColumn(each columns))
        repeat readers.append(FieldReader(each columns))
        return (list, readers)
    }
}

extension Column {
    @usableFromInline var readOnlyPropertyError: SQLiteError {
        .misuse(.readOnlyProperty(column: name))
    }
}

extension RecordTable {
    /// What the table is, as SQL.
    public var definition: TableDefinition { core.definition }

    /// `CREATE TABLE "users"("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL)`
    public var createSQL: SQL { definition.sql }
}

extension Connection {
    /// Creates a declared table with its indexes: `CREATE TABLE "users"(…)`, `CREATE INDEX …`.
    ///
    ///     try connection.create(User.table)
    ///
    /// - Parameter ifNotExists: Leaves a table alone that is there already, whatever its columns, and likewise indexes.
    /// - Throws: ``SQLiteError``: for a table that is there already, or that is declared wrongly.
    public func create(_ table: some RecordTable, ifNotExists: Bool = false) throws {
        try table.core.check()
        let definition = table.core.definition
        try savepoint(named: "squall_create") {
            try run(definition.sql(ifNotExists: ifNotExists))
            for index in definition.indexes { try run(index.sql(ifNotExists: ifNotExists)) }
        }
    }
}
