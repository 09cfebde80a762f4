import Squall

/// An index of a table, as `PRAGMA index_list` and `index_xinfo` report it.
struct IndexListing {
    enum Origin: String {
        case statement = "c"
        case unique = "u"
        case primaryKey = "pk"
    }

    struct Term: Equatable {
        /// The column; `nil` for an expression, and for the rowid.
        let column: String?
        let isDescending: Bool
        let collation: String

        static func == (left: Self, right: Self) -> Bool {
            left.column.map { Identifier($0) } == right.column.map { Identifier($0) }
                && left.isDescending == right.isDescending
                && left.collation.isSameName(as: right.collation)
        }
    }

    let name: String
    let isUnique: Bool
    let origin: Origin
    let isPartial: Bool
    let terms: [Term]
}

extension Connection {
    /// Returns the indexes of a table in the order of their names. Those of constraints are included.
    func indexListings(of table: String) throws -> [IndexListing] {
        let indexes: [(String, Bool, String, Bool)] = try query(
            "SELECT name, \"unique\", origin, partial FROM pragma_index_list(\(table), 'main') ORDER BY name"
        ) { try ($0.get(0), $0.get(1), $0.get(2), $0.get(3)) }
        return try indexes.map { name, isUnique, origin, isPartial in
            let terms: [IndexListing.Term] = try query(
                "SELECT name, \"desc\", coll FROM pragma_index_xinfo(\(name), 'main') WHERE key ORDER BY seqno"
            ) { row in
                IndexListing.Term(
                    column: try row.get(0), isDescending: try row.get(1), collation: try row.get(2) ?? "BINARY"
                )
            }
            return IndexListing(
                name: name, isUnique: isUnique, origin: .init(rawValue: origin) ?? .statement, isPartial: isPartial,
                terms: terms
            )
        }
    }
}

extension IndexListing {
    /// Returns the columns as they are written in SQL: `name COLLATE NOCASE, year DESC`.
    ///
    /// - Parameter definition: The SQL of the index, which has its expressions.
    func columnList(_ definition: IndexDefinition? = nil) -> String {
        terms.enumerated().map { position, term in
            let collation = term.collation.isSameName(as: "BINARY") ? "" : " COLLATE \(term.collation.sqlName)"
            let name = term.column?.sqlName ?? Self.expression(at: position, of: definition)
            return name + collation + (term.isDescending ? " DESC" : "")
        }.joined(separator: ", ")
    }

    private static func expression(at position: Int, of definition: IndexDefinition?) -> String {
        guard let columns = definition?.columns, columns.indices.contains(position),
            case .expression(let sql) = columns[position].term
        else { return "(expression)" }
        return sql.text
    }
}
