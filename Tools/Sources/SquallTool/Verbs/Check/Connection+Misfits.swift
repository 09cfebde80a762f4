import Squall

/// The storage classes that a column with a declared type should have.
private enum Affinity {
    case text, integer, real, numeric

    /// Returns the affinity by SQLite's rules; `nil` for a column that takes any value.
    init?(type: String) {
        let type = type.uppercased()
        if type.contains("INT") {
            self = .integer
        } else if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) {
            self = .text
        } else if type.isEmpty || type.contains("BLOB") || type == "ANY" {
            return nil
        } else if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) {
            self = .real
        } else if ["DATE", "TIME", "JSON", "UUID"].contains(where: type.contains) {
            // Such columns have the affinity NUMERIC, and hold text on purpose.
            return nil
        } else {
            self = .numeric
        }
    }

    /// The classes of values that do not fit.
    var misfits: [String] {
        switch self {
        case .text: ["blob"]
        case .integer: ["real", "text", "blob"]
        case .real, .numeric: ["text", "blob"]
        }
    }
}

/// A column whose type restricts its values.
private struct TypedColumn {
    let name: String
    let type: String
    let affinity: Affinity
}

extension Connection {
    /// Returns the columns with values that do not fit their declared type. Each table is read once.
    func misfits() throws -> [CheckFinding] {
        try tableListings().filter { $0.kind == .table && !$0.isStrict }.flatMap { table in
            try CheckFinding.running("type", on: table.name) { try misfits(in: table) }
        }
    }

    private func misfits(in table: TableListing) throws -> [CheckFinding] {
        let all = try columnListings(of: table.name)
        let columns = all.compactMap { column in
            Affinity(type: column.type).map { TypedColumn(name: column.name, type: column.type, affinity: $0) }
        }
        let rowID = table.isWithoutRowID ? nil : rowIDName(besides: all.map(\.name))
        // A result has at most 2,000 columns, and each of these takes three.
        return try stride(from: 0, to: columns.count, by: 300).flatMap { start in
            try misfits(in: table.name, columns: Array(columns[start...].prefix(300)), rowID: rowID)
        }
    }

    private func misfits(in table: String, columns: [TypedColumn], rowID: String?) throws -> [CheckFinding] {
        let terms = columns.map { column -> SQL in
            let value: SQL = "\(name: table).\(name: column.name)"
            let classes = column.affinity.misfits.map { "'\($0)'" }.joined(separator: ", ")
            let misfit: SQL = "typeof(\(value)) IN (\(raw: classes))"
            let row: SQL = rowID.map { "min(CASE WHEN \(misfit) THEN \(raw: $0) END)" } ?? "NULL"
            return "total(\(misfit)), group_concat(DISTINCT CASE WHEN \(misfit) THEN typeof(\(value)) END), \(row)"
        }
        var findings: [CheckFinding] = []
        try forEach("SELECT \(terms.joined(separator: ", ")) FROM main.\(name: table)") { row in
            for (index, column) in columns.enumerated() {
                guard let classes: String = try row.get(index * 3 + 1) else { continue }
                let (number, first): (Double, Int64?) = (try row.get(index * 3), try row.get(index * 3 + 2))
                let count = number == 1 ? "1 value" : "\(Int(number)) values"
                let list = classes.split(separator: ",").sorted().joined(separator: ", ")
                let place = first.map { ", the first in row \($0)" } ?? ""
                findings.append(
                    CheckFinding(
                        check: "type", table: table,
                        message: "\(column.name.sqlName) \(column.type): \(count) of type \(list)\(place)"))
            }
        }
        return findings
    }

    /// Returns a name of the rowid that no column has; `nil` if there is none.
    private func rowIDName(besides columns: [String]) -> String? {
        ["rowid", "_rowid_", "oid"].first { name in !columns.contains { $0.isSameName(as: name) } }
    }
}
