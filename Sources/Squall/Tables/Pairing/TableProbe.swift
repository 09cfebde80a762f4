/// Finds columns that are paired with the wrong parameters of the initialiser. It makes a record from distinct values and
/// compares its properties with them.
///
/// The compiler finds a wrong order only where the types differ.
struct TableProbe<Record>: Sendable {
    let table: String
    let columns: [TableColumn<Record>]
    let build: @Sendable ([Any]) throws -> Record

    /// Tries made-up values.
    ///
    /// - Returns: `false` where they do not distinguish all columns: no value of a type can be made up, or only an empty one, or
    ///   the initialiser refuses the values.
    /// - Throws: ``SQLiteError`` that names two columns that are swapped, or a computed property.
    func run() throws -> Bool {
        let samples = madeUp()
        guard samples.allSatisfy({ !$0.isEmpty }) else { return false }
        return try look(samples) && pairs.allSatisfy { tells($0, by: samples) }
    }

    /// Returns whether made-up values distinguish two columns.
    private func tells(_ pair: ColumnPair, by samples: [[Any]]) -> Bool {
        let (first, second) = (samples[pair.first], samples[pair.second])
        // Columns of a type with few values are changed one after the other.
        if first.count > 1, second.count > 1 { return true }
        guard let one = first.first, let other = second.first else { return false }
        return areSame(one, other, as: columns[pair.first]) == false
    }

    /// Tries the values of a record in place of those that cannot be made up.
    ///
    /// - Parameter pairs: The columns that are not distinguished yet.
    /// - Returns: The columns that are still not distinguished: the record has the same value in both.
    /// - Throws: As ``run()`` does.
    func run(with record: Record, telling pairs: [ColumnPair]) throws -> [ColumnPair] {
        let own = columns.map { record[keyPath: $0.keyPath] as Any }
        let samples = madeUp()
        let filled = zip(samples, own).map { $0.isEmpty ? [$1] : $0 }
        let takesFilled = try look(filled)
        let takesOwn = try look(own.map { [$0] })
        return pairs.filter { pair in
            if takesFilled && tells(pair, by: samples) { return false }
            return !takesOwn || areSame(own[pair.first], own[pair.second], as: columns[pair.first]) != false
        }
    }

    /// The columns that could be swapped: those of one type.
    var pairs: [ColumnPair] {
        columns.indices.flatMap { first in
            columns.indices[(first + 1)...]
                .filter { columns[first].baseType == columns[$0].baseType }
                .map { ColumnPair(first: first, second: $0) }
        }
    }

    private func madeUp() -> [[Any]] { columns.enumerated().map { number, column in column.samples(number) } }

    /// Makes a record from values and compares its properties with them.
    ///
    /// - Returns: Whether the initialiser accepted the values.
    private func look(_ samples: [[Any]]) throws -> Bool {
        let first = samples.compactMap(\.first)
        guard let record = try? build(first) else { return false }
        try compare(record, with: first) { column, value in
            // Many columns of a type with few values have the same value.
            samples[column].count == 1
                ? columns.indices.first { areSame(first[$0], value, as: columns[$0]) == true } : nil
        }
        for flipped in columns.indices where samples[flipped].count > 1 {
            var values = first
            values[flipped] = samples[flipped][1]
            guard let record = try? build(values) else { continue }
            try compare(record, with: values) { column, value in
                let isAsIfFlipped = areSame(samples[flipped][1], value, as: columns[flipped]) == true
                return samples[column].count > 1 && isAsIfFlipped ? flipped : nil
            }
        }
        return true
    }

    /// Throws if a property of a record does not have the value of its column but that of another column.
    private func compare(_ record: Record, with values: [Any], otherOwner: (Int, Any) -> Int?) throws {
        for (index, column) in columns.enumerated() {
            let found: Any = record[keyPath: column.keyPath]
            guard areSame(values[index], found, as: column) == false else { continue }
            if let other = otherOwner(index, found), other != index, columns[other].baseType == column.baseType {
                throw SQLiteError(
                    TableProblem.columnOrder(column: column.name, valueOf: columns[other].name), of: .table(table),
                    hint: "an initialiser that makes one property from two parameters needs the option .unprobed")
            }
            // The key path does not show whether a property of an object is computed.
            if column.offset == nil, !(Record.self is AnyObject.Type) {
                throw SQLiteError(
                    TableProblem.computedProperty(column: column.name), of: .table(table),
                    hint: "declare a stored property, or give the table the option .unprobed")
            }
        }
    }

    /// Returns whether two values are equal, if need be in the form in which a column stores them; `nil` where they cannot be
    /// compared.
    private func areSame(_ one: Any, _ other: Any, as column: TableColumn<Record>) -> Bool? {
        let (isNil, isOtherNil) = (
            (one as? any OptionalValue)?.isNil ?? false, (other as? any OptionalValue)?.isNil ?? false
        )
        if isNil || isOtherNil { return isNil && isOtherNil }
        if let one = one as? any Bindable, let other = other as? any Bindable {
            return one.bindingValue == other.bindingValue
        }
        if let one = one as? AnyHashable, let other = other as? AnyHashable { return one == other }
        if let form = column.form, let one = try? form.encode(one), let other = try? form.encode(other) {
            return one == other
        }
        return nil
    }
}

/// Two columns of one type, by their numbers.
struct ColumnPair: Sendable {
    let first: Int
    let second: Int
}
