import Squall

/// Whether changes have what the actions of foreign keys have done, so that SQLite must not run the actions again.
///
/// They do if tables are among them between which foreign keys have actions. Otherwise SQLite runs the actions, as for the statements that
/// were recorded: the children may be in a table that was not. That is wrong if a key changes hands, for instance because a primary key was
/// changed, which is recorded as a row that is deleted and another that is inserted: the children may have stayed where they were.
struct RecordedActions {
    private let keys: [ForeignKey]
    /// The keys that rows have lost, and those that rows have got, by the positions of ``keys``.
    private var lost: [Int: Set<[ComparedKey]>] = [:]
    private var gained: [Int: Set<[ComparedKey]>] = [:]
    private var isUnclear = false

    /// A value as columns of all affinities and collations may compare it.
    fileprivate enum ComparedKey: Hashable {
        case number(Double)
        case text(Identifier)
        case bytes([UInt8])
    }

    /// - Parameters:
    ///   - keys: All foreign keys of `main`.
    ///   - tables: The tables of the changes.
    ///   - columns: The columns of tables.
    static func areAmong(
        _ changes: AppliedChanges, isInverted: Bool, keys: [ForeignKey], tables: Set<Identifier>,
        columns: [Identifier: [String]]
    ) throws -> Bool {
        let keys = keys.filter { key in
            tables.contains(Identifier(key.parent)) && (key.hasAction(onDelete: true) || key.hasAction(onDelete: false))
        }
        if keys.isEmpty { return false }
        if keys.contains(where: { tables.contains(Identifier($0.child)) }) { return true }
        var actions = RecordedActions(keys: keys)
        try changes.forEachIterator(isInverted: isInverted) { iterator in
            actions.add(try iterator.change(naming: columns), columns)
        }
        return actions.isUnclear
            || actions.lost.contains { key, values in !values.isDisjoint(with: actions.gained[key] ?? []) }
    }

    private init(keys: [ForeignKey]) {
        self.keys = keys
    }

    private mutating func add(_ change: Changeset.Change, _ columns: [Identifier: [String]]) {
        let table = Identifier(change.table)
        for (index, key) in keys.enumerated() where Identifier(key.parent) == table {
            let positions = key.positions(\.parent, in: columns[table] ?? [])
            let (old, new) = (Self.values(change.old, positions), Self.values(change.new, positions))
            if change.operation == .update {
                if new.allSatisfy({ $0 == nil }) { continue }
                // A part of the key.
                if new.contains(nil) { isUnclear = true }
            }
            if let values = Self.known(old) { lost[index, default: []].insert(values) }
            if let values = Self.known(new) { gained[index, default: []].insert(values) }
        }
    }

    private static func values(_ row: ChangedValues, _ positions: [Int?]) -> [BindingValue?] {
        positions.map { position in position.flatMap { row[$0] } }
    }

    /// Returns `nil` for a key with NULL, to which no row refers.
    private static func known(_ values: [BindingValue?]) -> [ComparedKey]? {
        let known = values.compactMap { $0.flatMap(ComparedKey.init) }
        return known.count == values.count ? known : nil
    }
}

extension RecordedActions.ComparedKey {
    fileprivate init?(_ value: BindingValue) {
        switch value {
        case .null: return nil
        case .integer(let number): self = .number(Double(number))
        case .real(let number): self = .number(number)
        case .text(let text): self = Double(text).map { .number($0) } ?? .text(Identifier(text))
        case .blob(let data), .malformedText(let data): self = .bytes(Array(data))
        }
    }
}
