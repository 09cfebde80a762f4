/// Some rows of a query in its order, and the place where the next page begins.
public struct Page<Item> {
    public let items: [Item]
    /// The place after the last row; `nil` for the last page.
    public let next: PageCursor?

    public init(items: [Item], next: PageCursor?) {
        self.items = items
        self.next = next
    }
}

extension Page: Sendable where Item: Sendable {}
extension Page: Equatable where Item: Equatable {}
extension Page: Hashable where Item: Hashable {}
extension Page: Encodable where Item: Encodable {}
extension Page: Decodable where Item: Decodable {}

/// The reason why a query is not read in pages.
public enum PageProblem: SQLiteProblem {
    /// Thrown when a query is read in pages that has more than a condition and an order of expressions. It has the query,
    /// or the term of the order that is SQL.
    case notPageable(sql: String)
    /// Thrown when the cursor of a page belongs to a query with another order than this one.
    case cursorOfOtherOrder(sql: String)
    /// Thrown when a page is to have less than one row.
    case pageSize(Int)
}

extension PageProblem {
    public var code: ResultCode { .misuse }

    public var message: String {
        switch self {
        case .notPageable(let sql):
            "only a query on declared tables with a condition and an order of expressions has pages: \(sql)"
        case .cursorOfOtherOrder(let sql): "the cursor of the page belongs to another order than \(sql)"
        case .pageSize(let size): "a page has at least 1 row, not \(size)"
        }
    }
}
