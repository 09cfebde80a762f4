import Squall

/// Turns the reports of a migration into the text of a window that shows its progress.
struct ProgressText {
    private(set) var lines: [String] = []

    mutating func update(_ progress: SchemaProgress) {
        // A rebuild copies rows. Other steps take no time.
        let done = progress.allRows == 0 ? "" : ", \(progress.copiedRows * 100 / progress.allRows) %"
        let line = "version \(progress.version), \(progress.step)\(done)"
        if lines.last != line { lines.append(line) }
    }
}

func watchLongMigration() throws {
    let connection = try Connection(":memory:")
    let schema = Schema("measurements") {
        Version(1) { CreateTable("points") { ColumnDef("x", Double?.self) } }
        Version(2) {
            AlterTable("points") { ChangeColumn("x", to: Double.self, fillingWith: "ifnull(x, 0)") }
            CreateIndex("points_x", on: "points", "x")
        }
    }
    try schema.migrate(connection, to: 1)
    try connection.transaction {
        for number in 0..<20_000 {
            try connection.insert(into: "points", ["x": number % 7 == 0 ? nil : Double(number)])
        }
    }

    var text = ProgressText()
    try schema.migrate(connection) { text.update($0) }
    print("A long migration:")
    for line in text.lines { print("  \(line)") }
}
