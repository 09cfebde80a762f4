/// The changes of a transaction that has not ended, those of each savepoint by themselves.
struct PendingChanges {
    private struct Layer {
        /// The savepoint; `nil` for what comes before the first one.
        let savepoint: Identifier?
        var changes = CommitChanges()
    }

    private var layers = [Layer(savepoint: nil)]

    var isEmpty: Bool { layers.allSatisfy(\.changes.isEmpty) }

    /// Whether there are changes, and all are of the main database.
    var isOfMainAlone: Bool {
        !isEmpty && layers.allSatisfy { $0.changes.tables.keys.allSatisfy { $0.database == "main" } }
    }

    mutating func insert(_ name: TableName, _ change: RowChanges) {
        layers[layers.count - 1].changes.insert(name, change)
    }

    /// Anything may have changed, by this transaction or before it was followed.
    mutating func insertEverything() { layers[0].changes.formUnion(.everything) }

    mutating func apply(_ action: SavepointAction) {
        switch action {
        case .begin(let name): layers.append(Layer(savepoint: name))
        case .release(let name):
            guard let index = index(of: name) else { return }
            for layer in layers[index...] { layers[index - 1].changes.formUnion(layer.changes) }
            layers.removeSubrange(index...)
        case .rollBack(let name):
            guard let index = index(of: name) else { return }
            layers.removeSubrange((index + 1)...)
            layers[index].changes = CommitChanges()
        }
    }

    /// The innermost savepoint of a name. It is never the first layer.
    private func index(of name: Identifier) -> Int? { layers.lastIndex { $0.savepoint == name } }

    /// Returns all changes, and forgets them.
    mutating func take() -> CommitChanges {
        let all = layers.dropFirst().reduce(into: layers[0].changes) { $0.formUnion($1.changes) }
        removeAll()
        return all
    }

    mutating func removeAll() {
        layers.removeSubrange(1...)
        layers[0].changes = CommitChanges()
    }
}
