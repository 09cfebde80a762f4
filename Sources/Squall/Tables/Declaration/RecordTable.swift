/// The part of a ``Table`` that does not depend on the types of its columns.
public protocol RecordTable<Record>: QueryTable where Source == Columns<Record> {
    associatedtype Record
    /// The type of the first column, by which a record is found.
    associatedtype Key
    @_documentation(visibility: internal)
    var core: TableCore<Record> { get }
}

/// A record type that has a declared table.
public protocol TableRecord: SendableMetatype {
    associatedtype DeclaredTable: RecordTable where DeclaredTable.Record == Self

    /// The table.
    static var table: DeclaredTable { get }
}

/// A type whose values can be made empty, for a ``Table`` that is declared by settable properties.
public protocol Initializable: SendableMetatype {
    init()
}

extension RecordTable {
    /// The definition of the table, which is its SQL.
    public var definition: TableDefinition { core.definition }

    /// `CREATE TABLE "users"("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL)`
    public var createSQL: SQL { definition.sql }

    /// Returns the definition of the table.
    ///
    /// - Throws: ``SQLiteError`` for a wrong declaration.
    package func checkedDefinition() throws -> TableDefinition {
        try core.check()
        return core.definition
    }
}
