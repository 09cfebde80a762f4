/// An option of a ``Table``, or a constraint or an index over several of its columns.
///
///     Table(
///         "visits", Visit.init,
///         .strict, .unique("user", "day"), .index("visits_day", on: "day")
///     ) { … }
public struct TableOption: Sendable {
    let apply: @Sendable (inout TableDefinition) -> Void
    /// Whether `apply` must wait until the table is declared, because it uses declared tables.
    private(set) var isLazy = false
    var isProbed = true

    private init(_ apply: @escaping @Sendable (inout TableDefinition) -> Void) {
        self.apply = apply
    }
}

extension TableOption {
    /// `STRICT`: SQLite refuses values whose type differs from the column's.
    public static let strict = Self { $0.isStrict = true }

    /// `WITHOUT ROWID`
    public static let withoutRowID = Self { $0.isWithoutRowID = true }

    /// Skips the check for columns in the wrong order, which calls the initialiser with made-up values. Use it if the
    /// initialiser stops the program for such values.
    public static var unprobed: Self {
        var option = Self { _ in }
        option.isProbed = false
        return option
    }

    /// `PRIMARY KEY ("x", "y")`
    public static func primaryKey(_ columns: IndexedColumn..., onConflict conflict: ConflictResolution? = nil) -> Self {
        constraint(TableConstraint(.primaryKey(columns, onConflict: conflict)))
    }

    /// `UNIQUE ("user", "day")`
    public static func unique(_ columns: IndexedColumn..., onConflict conflict: ConflictResolution? = nil) -> Self {
        constraint(TableConstraint(.unique(columns, onConflict: conflict)))
    }

    /// `CHECK (first < last)`
    public static func check(_ condition: SQL, named name: String? = nil) -> Self {
        constraint(TableConstraint(name: name, .check(condition)))
    }

    /// `FOREIGN KEY ("x", "y") REFERENCES "points"("x", "y") ON DELETE CASCADE`
    public static func foreignKey(
        _ columns: String..., references table: String, _ others: [String] = [],
        onDelete: ForeignKeyReference.Action? = nil, onUpdate: ForeignKeyReference.Action? = nil,
        _ deferral: ForeignKeyReference.Deferral? = nil
    ) -> Self {
        let reference = ForeignKeyReference(
            table: table, columns: others, onDelete: onDelete, onUpdate: onUpdate, deferral: deferral
        )
        return constraint(TableConstraint(.foreignKey(columns, reference)))
    }

    /// A constraint whose columns are those of declared tables. A declared table that used itself, or one that refers back to it,
    /// while it is being made would wait for itself.
    static func lazily(_ constraint: @escaping @Sendable () -> TableConstraint) -> Self {
        var option = Self { $0.constraints.append(constraint()) }
        option.isLazy = true
        return option
    }

    /// Any other constraint.
    public static func constraint(_ constraint: TableConstraint) -> Self {
        Self { $0.constraints.append(constraint) }
    }

    /// `CREATE UNIQUE INDEX "visits_day" ON "visits"("day") WHERE …`: an index that is created with the table.
    public static func index(
        _ name: String, on columns: IndexedColumn..., unique: Bool = false, where condition: SQL? = nil
    ) -> Self {
        Self { table in
            table.indexes.append(
                IndexDefinition(
                    name: name, table: table.name, columns: columns, isUnique: unique, condition: condition
                )
            )
        }
    }
}
