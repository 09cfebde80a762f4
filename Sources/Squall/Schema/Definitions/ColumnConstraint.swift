/// A constraint of a ``Column``: `.primaryKey`, `.unique`, `.default(0)`, `.check("age > 0")`.
public struct ColumnConstraint<Value>: Sendable {
    private let make: @Sendable (_ write: (Value) -> SQL) -> ColumnDefinition.Constraint

    private init(_ constraint: ColumnDefinition.Constraint) {
        make = { _ in constraint }
    }

    private init(make: @escaping @Sendable (_ write: (Value) -> SQL) -> ColumnDefinition.Constraint) {
        self.make = make
    }

    /// The constraint of a column whose values are written by a closure.
    func constraint(writing write: (Value) -> SQL) -> ColumnDefinition.Constraint { make(write) }
}

extension ColumnConstraint {
    /// `PRIMARY KEY`. If several columns have it, they form one key: `PRIMARY KEY ("x", "y")`.
    public static var primaryKey: Self { primaryKey() }

    /// `PRIMARY KEY AUTOINCREMENT`: SQLite never reuses a key, even after its row was deleted.
    public static func primaryKey(
        autoincrement: Bool = false, order: SortOrder? = nil, onConflict conflict: ConflictResolution? = nil
    ) -> Self {
        Self(.primaryKey(.init(order: order, conflict: conflict, isAutoincrement: autoincrement)))
    }

    /// `UNIQUE`
    public static var unique: Self { unique(onConflict: nil) }

    /// `UNIQUE ON CONFLICT REPLACE`
    public static func unique(onConflict conflict: ConflictResolution?) -> Self {
        Self(.unique(.init(conflict: conflict)))
    }

    /// `NOT NULL ON CONFLICT REPLACE`. The type of a column already decides whether it is `NOT NULL`; use this to add a
    /// conflict clause.
    public static func notNull(onConflict conflict: ConflictResolution? = nil) -> Self {
        Self(.notNull(.init(conflict: conflict)))
    }

    /// `DEFAULT 0`
    public static func `default`(_ value: Value) -> Self where Value: Sendable {
        Self(make: { write in .defaultValue(write(value)) })
    }

    /// `DEFAULT (expression)`: `.default(sql: "unixepoch()")`
    public static func `default`(sql: SQL) -> Self {
        Self(.defaultValue("(\(sql))"))
    }

    /// `CHECK (age > 0)`. Interpolated values are written as literals.
    public static func check(_ condition: SQL, named name: String? = nil) -> Self {
        Self(.check(.init(name: name, condition: condition)))
    }

    /// `COLLATE "NOCASE"`
    public static func collate(_ name: String) -> Self {
        Self(.collation(name))
    }

    /// `GENERATED ALWAYS AS (price * amount) STORED`. The column is read but never written.
    public static func generated(_ expression: SQL, stored: Bool = false) -> Self {
        Self(.generated(.init(expression: expression, isStored: stored)))
    }

    /// `REFERENCES "authors"("id") ON DELETE CASCADE`
    ///
    /// - Parameters:
    ///   - table: The referenced table.
    ///   - column: The referenced column; `nil` for the primary key of the table.
    ///   - onDelete: The action when the referenced row is deleted; `nil` for `NO ACTION`.
    ///   - onUpdate: The action when the referenced key changes; `nil` for `NO ACTION`.
    ///   - deferral: The time of the check: at the end of the statement, which is the default, or at the commit.
    public static func references(
        _ table: String, _ column: String? = nil, onDelete: ForeignKeyReference.Action? = nil,
        onUpdate: ForeignKeyReference.Action? = nil, _ deferral: ForeignKeyReference.Deferral? = nil
    ) -> Self {
        let columns = column.map { [$0] } ?? []
        let reference = ForeignKeyReference(
            table: table, columns: columns, onDelete: onDelete, onUpdate: onUpdate, deferral: deferral
        )
        return Self(.references(reference))
    }
}
