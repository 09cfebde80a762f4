/// Finds columns that are paired with the wrong parameters of the initialiser: it makes a record from distinct values and
/// looks where they come out.
///
/// The compiler sees a wrong order only where the types differ.
struct TableProbe<Record> {
    let table: String
    let columns: [TableColumn<Record>]
    let build: ([Any]) throws -> Record

    /// - Throws: ``SQLiteError`` that names two columns that are swapped.
    func run() throws {
        let samples = columns.enumerated().map { number, column in column.samples(number) }
        // There are types of which no value can be made up.
        guard samples.allSatisfy({ !$0.isEmpty }) else { return }
        let first = samples.compactMap(\.first)
        try look(first, samples: samples) { column, value in
            // Of a type with few values, many columns have the same.
            samples[column].count == 1 ? columns.indices.first { isSame(first[$0], value) && $0 != column } : nil
        }
        for flipped in columns.indices where samples[flipped].count > 1 {
            var values = first
            values[flipped] = samples[flipped][1]
            try look(values, samples: samples) { column, value in
                let isAsIfFlipped = column != flipped && isSame(samples[flipped][1], value)
                return samples[column].count > 1 && isAsIfFlipped ? flipped : nil
            }
        }
    }

    /// Makes a record from values, and throws if a column gives back a value that is not its own but another's.
    private func look(_ values: [Any], samples: [[Any]], otherOwner: (Int, Any) -> Int?) throws {
        // An initialiser that refuses made-up values cannot be tried.
        guard let record = try? build(values) else { return }
        for (index, column) in columns.enumerated() {
            let found: Any = record[keyPath: column.keyPath]
            if isSame(values[index], found) { continue }
            guard let other = otherOwner(index, found) else { continue }
            throw SQLiteError.misuse(
                """
                the columns of the table "\(table)" are not in the order of the initialiser: "\(column.name)" gets the \
                value of "\(columns[other].name)"
                """
            )
        }
    }

    private func isSame(_ one: Any, _ other: Any) -> Bool {
        guard let one = parameter(one), let other = parameter(other) else { return false }
        return one == other
    }

    private func parameter(_ value: Any) -> BindingValue? { (value as? any Bindable)?.bindingValue }
}
