/// A constraint of a ``Column``: `.primaryKey`, `.unique`, `.default(0)`, `.check("age > 0")`; or its declared type.
public struct ColumnConstraint<Value>: Sendable {
    private let change: @Sendable (inout ColumnDefinition, _ now: SQL?, _ write: (Value) -> SQL) -> Void

    private init(_ constraint: ColumnDefinition.Constraint) {
        change = { definition, _, _ in definition.add(constraint) }
    }

    private init(
        change: @escaping @Sendable (inout ColumnDefinition, _ now: SQL?, _ write: (Value) -> SQL) -> Void
    ) {
        self.change = change
    }

    /// Adds the constraint to a column whose values are written by a closure.
    ///
    /// - Parameter now: The current time as the column stores it; `nil` where it stores no dates, or in a form of the program.
    func apply(to definition: inout ColumnDefinition, now: SQL?, writing write: (Value) -> SQL) {
        change(&definition, now, write)
    }
}

extension ColumnConstraint {
    /// The declared type of the column: `.type("VARCHAR(40)")`. Without it, the Swift type decides.
    ///
    /// Use it for the columns of a file that other programs have made. SQLite derives from the declared type how it stores a
    /// value: text that looks like a number becomes a number in a column `DATETIME`, and does not read as a `String`.
    public static func type(_ name: String) -> Self {
        Self(change: { definition, _, _ in definition.type = name })
    }

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
    @_disfavoredOverload  // `.now` is the time of the INSERT, and not that of the declaration
    public static func `default`(_ value: Value) -> Self where Value: Sendable {
        Self(change: { definition, _, write in definition.add(.defaultValue(write(value))) })
    }

    /// `DEFAULT (strftime('%Y-%m-%dT%H:%M:%f', 'now'))`: the time of the statement that inserts a row, in the form of the column
    ///
    ///     Column("added", \User.added, .default(.now))
    ///     Column("seen", \User.seen, as: .unixMilliseconds, .default(.now))
    ///
    /// The time is exact to the millisecond. `ALTER TABLE … ADD COLUMN` refuses such a default, so that adding the column to a table
    /// copies its rows, which receive the time of the change.
    public static func `default`(_ time: InsertTime) -> Self
    where Value: StatementParameter, Value.ColumnBase: StoredDate {
        Self(change: { definition, now, _ in
            let reason =
                "the current time is not known in the form of the column \"\(definition.name)\": use `.default(sql:)`"
            definition.add(.defaultValue(now.map { "(\($0))" } ?? .refused(reason)))
        })
    }

    @_documentation(visibility: internal)
    @available(*, unavailable, message: "a default has the type of the column; an expression is `.default(sql: \"…\")`")
    @_disfavoredOverload
    public static func `default`<Other>(_ value: Other) -> Self { Self(.defaultValue("NULL")) }

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
