import Squall

extension ColumnConstraint where Value == String {
    /// A text without spaces around it.
    static func trimmed(_ column: String) -> Self { .check("\(name: column) = trim(\(name: column))") }
}

/// Steps for a table whose deletions are recorded.
private func recordDeletions(from table: String) -> [any SchemaStep] {
    [
        CreateTable("\(table)_deleted") { ColumnDef("plate", String.self) },
        CreateTrigger(
            "\(table)_delete",
            "AFTER DELETE ON \(name: table) BEGIN INSERT INTO \(name: "\(table)_deleted") VALUES(old.plate); END"),
    ]
}

/// Steps that give a table the times of its writes.
private func addTimes() -> [any AlterTableStep] {
    [AddColumn("created", Double?.self), AddColumn("changed", Double?.self)]
}

/// Rules of the first version that treat different owners as the same.
private let leniencies: DroppedConstraints = [.collation, .default]

/// The history of a garage's file.
let garage = Schema("garage") {
    Version(1) {
        CreateTable("autos") {
            ColumnDef("plate", String.self, .primaryKey, .trimmed("plate"))
            ColumnDef("owner", String.self, .collate("NOCASE"), .notNull(onConflict: .ignore))
            ColumnDef("fee", Int.self, .default(30))
        }
        CreateIndex("autos_owner", on: "autos", "owner")
        CreateIndex("autos_fee", on: "autos", "fee")
        for step in recordDeletions(from: "autos") { step }
        CreateTable("fax_numbers") { ColumnDef("number", String.self) }
    }
    Version(2) {
        RenameTable("autos", to: "cars")
        RenameIndex("autos_owner", to: "cars_owner")
        DropIndex("autos_fee")
        DropTrigger("autos_delete")
        DropTable("fax_numbers")
        AlterTable("cars") {
            ChangeColumn("owner", dropping: leniencies)
            for step in addTimes() { step }
        }
    }
}

func runHistory() throws {
    let connection = try Connection("garage.db")
    print("Version 1 of \(garage.latestVersion):")
    try garage.migrate(connection, to: 1)
    for (plate, owner) in [("A 1", "Ada"), ("B 2", "ada"), ("C 3", "Cy")] {
        try connection.insert(into: "autos", ["plate": plate, "owner": owner])
    }
    // The constraint says that a row without an owner is left out.
    try connection.insert(into: "autos", ["plate": "D 4", "owner": nil])
    try connection.delete(from: "autos", where: "plate = 'C 3'")
    try show("SELECT count(*) FROM autos WHERE owner = 'Ada'", "cars of Ada, however she is written", connection)
    try show("SELECT count(*) FROM autos_deleted", "deletions recorded", connection)

    print("Version 2:")
    try garage.migrate(connection)
    try show("SELECT count(*) FROM cars WHERE owner = 'Ada'", "cars of Ada, exactly", connection)
    let definition = try connection.tableInfo("cars")
    print("  \(definition?.columns.map(\.name).joined(separator: ", ") ?? "none")")
    print(
        "  \(definition?.indexes.map(\.name).joined(separator: ", ") ?? "none"), \(definition?.triggers.count ?? 0) triggers"
    )
    print("  tables: \(try connection.tableNames().joined(separator: ", "))")
    connection.close()
}

private func show(_ sql: SQL, _ title: String, _ connection: Connection) throws {
    let count: Int = try connection.query(sql)
    print("  \(title): \(count)")
}
