/// A public declaration, as a line: the path of its type, and its text.
///
///     Blob | struct Blob : ~Copyable
///     Blob | var count: Int { get }
///     Connection | @discardableResult func insert<Record>(_ record: Record) throws -> Int64 where Record : TableRecord
///     Array where Element : RowElement | extension Array : QueryResult
///     global | typealias ColumnStorable = FunctionArgument & StatementParameter
struct Declaration: Hashable {
    /// The order of the declarations of a type: the type, its conformances, its members.
    enum Rank: Int {
        case type, conformance, member
    }

    let path: String
    /// The `where` clause of the extension, of a member of an extension.
    let constraint: String
    let rank: Rank
    /// The kind as the symbol graph names it: `struct`, `method`, `enum.case`.
    let kind: String
    let name: String
    let text: String

    var line: String {
        "\(path.isEmpty ? "global" : path)\(constraint) | \(text)"
    }

    /// Whether an instance of the type is completed with the name.
    var isCompleted: Bool { ["method", "property"].contains(kind) }
}

extension Declaration: Comparable {
    static func < (lhs: Declaration, rhs: Declaration) -> Bool {
        for (left, right) in [(lhs.path, rhs.path), (lhs.constraint, rhs.constraint)] where left != right {
            return left < right
        }
        if lhs.rank != rhs.rank { return lhs.rank.rawValue < rhs.rank.rawValue }
        return lhs.text < rhs.text
    }
}
