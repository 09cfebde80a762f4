/// A set of the columns of a table, by their positions. It has a bit for each of the first 63 columns, and one for all others.
struct ColumnMask: Hashable, Sendable {
    private var bits: UInt64

    static let none = ColumnMask(bits: 0)
    static let all = ColumnMask(bits: .max)
    /// The position from which columns share the last bit.
    private static let firstShared = 63

    private init(bits: UInt64) {
        self.bits = bits
    }

    /// The set of one column.
    init(column: Int) {
        bits = 1 << UInt64(min(max(column, 0), Self.firstShared))
    }

    var isEmpty: Bool { bits == 0 }

    /// Whether the set contains a column, or one that shares its bit.
    func contains(_ column: Int) -> Bool { intersects(ColumnMask(column: column)) }

    func intersects(_ other: ColumnMask) -> Bool { bits & other.bits != 0 }

    mutating func formUnion(_ other: ColumnMask) { bits |= other.bits }

    func subtracting(_ other: ColumnMask) -> ColumnMask { ColumnMask(bits: bits & ~other.bits) }
}
