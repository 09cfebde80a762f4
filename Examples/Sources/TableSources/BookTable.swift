import Squall

/// The books of a service as a table: the conditions of a statement become a request.
struct BookTable: TableSource {
    let service: BookService

    private static let search = 0, byID = 1, byDigest = 2

    let columns = [
        VirtualColumn("title", collation: "NOCASE", \Book.title), VirtualColumn("author", \.author),
        VirtualColumn("year", \.year), VirtualColumn("digest", \.digest),
    ]

    func rowID(of row: Book) -> Int64? { row.id }

    func plan(_ query: PlanQuery) -> Plan {
        if let id = query.rowIDConstraint(.equal) {
            return Plan(Self.byID, "one book", using: [id.consumed], rows: 1, isUnique: true)
        }
        // Only bytes are a digest. A value that is not known yet may be something else.
        if let digest = query.constraint("digest", .equal), case .blob? = digest.knownValue {
            return Plan(Self.byDigest, "one digest", using: [digest.consumed], rows: 1)
        }
        return .search(
            Self.search, query.constraints.compactMap(term), sortedBy: order(query),
            fields: columns.map(\.name).filter(query.uses))
    }

    /// Returns the order in which the service finds the rows of the statement; `nil` where SQLite sorts them.
    private func order(_ query: PlanQuery) -> String? {
        guard query.order.count == 1, let term = query.order.first, let column = term.column,
            columns[column].name == "year"
        else { return nil }
        return query.orderUse.needsDirection && term.isDescending ? "-year" : "year"
    }

    /// Returns the term of a search for a condition; `nil` where only SQLite can check it.
    private func term(_ constraint: Constraint) -> SearchTerm? {
        switch (constraint.column.map { columns[$0].name }, constraint.operation) {
        case ("year", let operation):
            BookService.Comparison(operation).map { ("year" + $0.rawValue, constraint.used) }
        case ("author", .isNull): ("anonymous=true", constraint.used)
        case ("author", .isNotNull): ("anonymous=false", constraint.used)
        // The service compares upper and lower case, as BINARY does.
        case ("author", .equal) where constraint.collation == "BINARY":
            constraint.canBeList ? ("authors", constraint.list) : ("author", constraint.used)
        default: nil
        }
    }

    func rows(_ scan: borrowing Scan) throws -> [Book] {
        switch scan.plan {
        case Self.byID:
            guard let id = try scan.equalValue(0, as: Int64.self) else { return [] }
            return service.books(id: id)
        case Self.byDigest:
            return service.books(digest: try scan.withBytes(0) { bytes in bytes.withUnsafeBytes { Array($0) } })
        default:
            return service.books(try BookService.Search(scan))
        }
    }
}
