import Squall

/// Records the columns that a statement uses while SQLite compiles it.
final class UseRecorder {
    private let catalog: Catalog
    private var columns: [Identifier: [Identifier]] = [:]

    init(_ catalog: Catalog) {
        self.catalog = catalog
    }

    /// Forgets the columns of earlier statements.
    func start() {
        columns = [:]
    }

    var uses: [TableUse] { columns.map { TableUse(table: $0.key, columns: $0.value) } }

    /// Notes an action of the authorizer.
    ///
    /// - Parameter source: The innermost view or trigger that causes the action. What a trigger does is not the statement's.
    func record(_ action: Connection.AuthorizerAction, _ table: String?, _ column: String?, _ source: String?) {
        guard [.read, .update, .insert, .delete].contains(action), let table else { return }
        let name = Identifier(table)
        guard catalog.tables[name] != nil else { return }
        if let source {
            guard case .view? = catalog.tables[Identifier(source)]?.kind else { return }
        }
        var known = columns[name] ?? []
        if action == .read || action == .update, let column, !column.isEmpty, !known.contains(Identifier(column)) {
            known.append(Identifier(column))
        }
        columns[name] = known
    }
}
