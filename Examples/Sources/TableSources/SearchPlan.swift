import Squall

// A search of the service is planned as words: one for each condition that it checks, in the order of their values, and then the order
// and the fields. The service may return more books than the statement wants: SQLite checks each condition that is not consumed.

/// A word of a search, and how the plan uses the condition that it is for.
typealias SearchTerm = (word: String, use: VirtualTableConstraint.Use)

extension VirtualTablePlan {
    /// A search with terms, in an order of the years if the statement wants one.
    static func search(
        _ id: Int, _ terms: [SearchTerm], sortedBy order: String?, fields: [String]
    ) -> VirtualTablePlan {
        let words =
            terms.map(\.word) + (order.map { ["sort=\($0)"] } ?? []) + ["fields=" + fields.joined(separator: ",")]
        return VirtualTablePlan(
            id, words.joined(separator: " "), using: terms.map(\.use), isOrdered: order != nil,
            rows: 1_000 >> min(terms.count, 9))
    }
}

extension VirtualTablePlanQuery.OrderUse {
    /// Whether the rows must be in the order of the terms, and not only beside those that are equal.
    var needsDirection: Bool {
        switch self {
        case .orderBy, .distinctOrderBy: true
        case .groupBy, .distinct: false
        }
    }
}

extension BookService.Comparison {
    init?(_ operation: VirtualTableConstraint.Operator) {
        switch operation {
        case .equal, .is: self = .equal
        case .notEqual, .isNot: self = .unequal
        case .less: self = .less
        case .lessOrEqual: self = .atMost
        case .greater: self = .greater
        case .greaterOrEqual: self = .atLeast
        // The service has no patterns, all its books have a year, and a search has no limit.
        case .like, .glob, .match, .regexp, .isNull, .isNotNull, .limit, .offset, .other: return nil
        }
    }
}

extension BookService.Search {
    /// Reads the words of a plan, with the values that the statement has for them.
    init(_ scan: borrowing VirtualTableScan) throws {
        for (position, word) in scan.note.split(separator: " ").enumerated() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            switch parts[0] {
            case "authors": restrict(toAuthors: try scan.list(position))
            // No author is equal to NULL.
            case "author": restrict(toAuthors: try scan.equalValue(position, as: String.self).map { [$0] } ?? [])
            case "anonymous": isAnonymous = parts[1] == "true"
            case "sort": latestFirst = parts[1] == "-year"
            case "fields": fields = String(parts[1])
            default:
                // SQLite compares the years with a value that is not a whole number.
                guard let year = try scan.equalValue(position, as: Int.self),
                    let comparison = BookService.Comparison(rawValue: String(word.dropFirst(4)))
                else { break }
                years.append((comparison, year))
            }
        }
    }
}
