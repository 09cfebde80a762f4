/// A constraint of a ``Column``: `.primaryKey`, `.unique`, `.default(0)`, `.check("age > 0")`.
public struct ColumnConstraint<Value>: Sendable {
    /// Puts the constraint into a definition; given how the column writes a value.
    let apply: @Sendable (inout ColumnDefinition, (Value) -> SQL) -> Void

    private init(_ change: @escaping @Sendable (inout ColumnDefinition) -> Void) {
        apply = { column, _ in change(&column) }
    }

    private init(apply: @escaping @Sendable (inout ColumnDefinition, (Value) -> SQL) -> Void) {
        self.apply = apply
    }
}

extension ColumnConstraint {
    /// `PRIMARY KEY`. Several such columns make one key: `PRIMARY KEY ("x", "y")`.
    public static var primaryKey: Self { primaryKey() }

    /// `PRIMARY KEY AUTOINCREMENT`: a key is never given twice, also after its row was deleted.
    public static func primaryKey(
        autoincrement: Bool = false, order: SortOrder? = nil, onConflict conflict: ConflictResolution? = nil
    ) -> Self {
        Self { $0.primaryKey = .init(order: order, conflict: conflict, isAutoincrement: autoincrement) }
    }

    /// `UNIQUE`
    public static var unique: Self { unique(onConflict: nil) }

    /// `UNIQUE ON CONFLICT REPLACE`
    public static func unique(onConflict conflict: ConflictResolution?) -> Self {
        Self { $0.unique = .init(conflict: conflict) }
    }

    /// `NOT NULL ON CONFLICT REPLACE`. That a column is `NOT NULL` follows from its type; this is for the conflict clause.
    public static func notNull(onConflict conflict: ConflictResolution? = nil) -> Self {
        Self { $0.notNull = .init(conflict: conflict) }
    }

    /// `DEFAULT 0`
    public static func `default`(_ value: Value) -> Self where Value: Sendable {
        Self(apply: { column, write in column.defaultValue = write(value) })
    }

    /// `DEFAULT (expression)`: `.default(sql: "unixepoch()")`
    public static func `default`(sql: SQL) -> Self {
        Self { $0.defaultValue = "(\(sql))" }
    }

    /// `CHECK (age > 0)`. Values that are interpolated are written as literals.
    public static func check(_ condition: SQL, named name: String? = nil) -> Self {
        Self { $0.checks.append(.init(name: name, condition: condition)) }
    }

    /// `COLLATE "NOCASE"`
    public static func collate(_ name: String) -> Self {
        Self { $0.collation = name }
    }

    /// `GENERATED ALWAYS AS (price * amount) STORED`. The column is read, and never written.
    public static func generated(_ expression: SQL, stored: Bool = false) -> Self {
        Self { $0.generated = .init(expression: expression, isStored: stored) }
    }

    /// `REFERENCES "authors"("id") ON DELETE CASCADE`
    ///
    /// - Parameter column: The column; the primary key of the table when it is left out.
    public static func references(
        _ table: String, _ column: String? = nil, onDelete: ForeignKeyReference.Action? = nil,
        onUpdate: ForeignKeyReference.Action? = nil, _ deferral: ForeignKeyReference.Deferral? = nil
    ) -> Self {
        let columns = column.map { [$0] } ?? []
        let reference = ForeignKeyReference(
            table: table, columns: columns, onDelete: onDelete, onUpdate: onUpdate, deferral: deferral
        )
        return Self { $0.references.append(reference) }
    }
}
