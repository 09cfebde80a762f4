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

/// A type whose values can be made empty, for a ``Table`` that is declared by properties that can be set.
public protocol Initializable: SendableMetatype {
    init()
}

extension RecordTable {
    /// What the table is, as SQL.
    public var definition: TableDefinition { core.definition }

    /// `CREATE TABLE "users"("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL)`
    public var createSQL: SQL { definition.sql }

    /// - Throws: What is wrong with the declaration.
    func checkedDefinition() throws -> TableDefinition {
        try core.check()
        return core.definition
    }
}
