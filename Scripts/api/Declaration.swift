/// A public declaration, as a line: the path of its type, and its text.
///
///     Blob | struct Blob : ~Copyable
///     Blob | var count: Int { get }
///     Connection | @discardableResult func insert(_ record: some TableRecord) throws -> Int64
///     Array where Element : Binding | init(json: String) throws
///     global | func && (lhs: Condition, rhs: Condition) -> Condition
struct Declaration: Hashable {
    /// The order of the declarations of a type: the type, its conformances, its members.
    enum Rank: Int {
        case type, conformance, member
    }

    let path: String
    /// The `where` clause of the extension, of a member of an extension.
    let constraint: String
    let rank: Rank
    let attributes: String
    let text: String

    var line: String {
        "\(path.isEmpty ? "global" : path)\(constraint) | \(attributes)\(text)"
    }
}

extension Declaration: Comparable {
    static func < (lhs: Declaration, rhs: Declaration) -> Bool {
        for (left, right) in [(lhs.path, rhs.path), (lhs.constraint, rhs.constraint)] where left != right {
            return left < right
        }
        if lhs.rank != rhs.rank { return lhs.rank.rawValue < rhs.rank.rawValue }
        return (lhs.text, lhs.attributes) < (rhs.text, rhs.attributes)
    }
}
