import Squall

/// The table that an R*Tree follows, and the SQL that keeps the R*Tree in step with it.
struct SpatialSource {
    let table: SpatialTable
    let content: String
    let key: String
    let bounds: [(minimum: String, maximum: String)]

    /// The triggers on the table: their names and the statements that create them.
    var triggers: [(name: String, definition: SQL)] {
        // An entry of the key is deleted first: the policy of the statement, such as OR IGNORE, is that of its triggers as well.
        // RAISE(ABORT) is not subject to it.
        [
            trigger("inserted", "INSERT", "\(check) \(deletion("new")) \(insertion("new."));"),
            trigger("deleted", "DELETE", deletion("old")),
            trigger("updated", "UPDATE", "\(check) \(deletion("old")) \(deletion("new")) \(insertion("new."));"),
        ]
    }

    /// `INSERT INTO main."boxes"(…) SELECT … FROM main."places" WHERE …`: the entries of the rows that are there.
    var filling: SQL { insertion("\(name: content).", into: "main.", from: " FROM main.\(name: content)") }

    /// The query of the key of a row whose coordinates are not a box that fits.
    var misfit: SQL {
        let prefix: SQL = "\(name: content)."
        return """
            SELECT \(prefix)\(name: key) FROM main.\(name: content) \
            WHERE (\(hasPlace(prefix))) AND NOT (\(fits(prefix))) LIMIT 1
            """
    }

    private func trigger(_ suffix: String, _ event: SQL, _ body: SQL) -> (name: String, definition: SQL) {
        let name = "\(table.name)_\(suffix)"
        // With the database: a TEMP table of the same name would get the trigger.
        return (name, "CREATE TRIGGER main.\(name: name) AFTER \(event) ON \(name: content) BEGIN \(body) END")
    }

    private func deletion(_ row: SQL) -> SQL {
        "DELETE FROM \(table) WHERE \(name: table.key) = \(row).\(name: key);"
    }

    private var check: SQL {
        let message = "the coordinates of a row of \"\(content)\" do not fit the R*Tree \"\(table.name)\""
        let quoted = message.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
        return "SELECT RAISE(ABORT, '\(raw: quoted)') WHERE (\(hasPlace("new."))) AND NOT (\(fits("new.")));"
    }

    /// Returns `INSERT INTO "boxes"(…) SELECT new."id", new."x", … WHERE new."x" IS NOT NULL AND …`
    private func insertion(_ prefix: SQL, into database: SQL = "", from rows: SQL = "") -> SQL {
        var columns: [SQL] = ["\(prefix)\(name: key)"]
        for (minimum, maximum) in bounds {
            columns.append(table.coordinates.roundedDown("\(prefix)\(name: minimum)"))
            columns.append(table.coordinates.roundedUp("\(prefix)\(name: maximum)"))
        }
        return """
            INSERT INTO \(database)\(table)(\(names: table.boxColumns)) \
            SELECT \(columns.joined(separator: ", "))\(rows) WHERE \(hasPlace(prefix))
            """
    }

    /// The condition that no coordinate is NULL.
    private func hasPlace(_ prefix: SQL) -> SQL {
        let columns = bounds.flatMap { [$0.minimum, $0.maximum] }
        return columns.map { "\(prefix)\(name: $0) IS NOT NULL" as SQL }.joinedAsTree(by: " AND ")
    }

    /// The condition that the coordinates, none of which is NULL, are a box that the R*Tree can store.
    private func fits(_ prefix: SQL) -> SQL {
        let (lowest, highest) = table.coordinates.limits
        let conditions = bounds.flatMap { bound -> [SQL] in
            let (minimum, maximum): (SQL, SQL) = (
                "\(prefix)\(name: bound.minimum)", "\(prefix)\(name: bound.maximum)"
            )
            return [
                "typeof(\(minimum)) IN ('integer', 'real')", "typeof(\(maximum)) IN ('integer', 'real')",
                "\(minimum) >= \(raw: lowest)", "\(maximum) <= \(raw: highest)", "\(minimum) <= \(maximum)",
            ]
        }
        return conditions.joinedAsTree(by: " AND ")
    }
}

extension SpatialTable.Coordinates {
    /// The smallest and the largest coordinate, as SQL. The last digit is rounded up, so that the largest `Float` is within.
    fileprivate var limits: (String, String) {
        switch self {
        case .real: ("-3.4028234663852887e38", "3.4028234663852887e38")
        case .integer: ("-2147483648", "2147483647")
        }
    }

    /// The SQL that rounds a number down. SQLite rounds coordinates of the form `real` itself. CAST rounds towards 0.
    fileprivate func roundedDown(_ number: SQL) -> SQL {
        switch self {
        case .real: number
        case .integer: "CAST(\(number) AS INTEGER) - (CAST(\(number) AS INTEGER) > \(number))"
        }
    }

    /// The SQL that rounds a number up.
    fileprivate func roundedUp(_ number: SQL) -> SQL {
        switch self {
        case .real: number
        case .integer: "CAST(\(number) AS INTEGER) + (CAST(\(number) AS INTEGER) < \(number))"
        }
    }
}
