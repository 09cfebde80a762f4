import Squall

/// Rows of a table that are not in it, which SQL reads by the number of their set: `FROM _scoped_rows_0(3)`.
///
/// The columns have the affinities of the table, so that values are compared as those of the table.
final class RowSets {
    struct Element {
        let position: Int
        let row: [BindingValue]
    }

    private var sets: [[Element]] = []
    let shape: TableShape
    /// The name of the table function.
    let function: String

    init(_ shape: TableShape, number: Int, on connection: Connection) throws {
        self.shape = shape
        var function = "_scoped_rows_\(number)"
        while try connection.hasSource(named: function) { function += "_" }
        self.function = function
        try connection.register(named: function) { _ in Source(sets: self) }
    }

    /// Adds a set. Rows that are `nil` are left out; the others keep their positions.
    ///
    /// - Returns: Its number.
    func add(_ rows: [[BindingValue]?]) -> Int {
        sets.append(elements(rows))
        return sets.count - 1
    }

    /// Makes a row the only one of the first set.
    func replaceAll(by row: [BindingValue]) { sets = [elements([row])] }

    private func elements(_ rows: [[BindingValue]?]) -> [Element] {
        rows.enumerated().compactMap { position, row in row.map { Element(position: position, row: $0) } }
    }

    private struct Source: TableSource {
        let sets: RowSets

        var columns: [VirtualColumn<Element>] {
            let values = sets.shape.columns.enumerated().map { index, column in
                // A row from before a column was added lacks it.
                VirtualColumn<Element>(column.name, type: column.affinity) { element -> BindingValue in
                    index < element.row.count ? element.row[index] : .null
                }
            }
            return values + [VirtualColumn(sets.shape.position) { $0.position }, .parameter(sets.shape.set)]
        }

        func rows(_ scan: borrowing Scan) throws -> [Element] {
            guard let number: Int = try scan.parameter(sets.shape.set), sets.sets.indices.contains(number) else {
                return []
            }
            return sets.sets[number]
        }
    }
}
