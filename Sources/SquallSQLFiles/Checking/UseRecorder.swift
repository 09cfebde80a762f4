import Squall

/// Records the columns that a statement uses while SQLite compiles it.
final class UseRecorder {
    private let catalog: Catalog
    private var columns: [Name: [Name]] = [:]

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
        let name = Name(table)
        guard catalog.tables[name] != nil else { return }
        if let source {
            guard case .view? = catalog.tables[Name(source)]?.kind else { return }
        }
        var known = columns[name] ?? []
        if action == .read || action == .update, let column, !column.isEmpty, !known.contains(Name(column)) {
            known.append(Name(column))
        }
        columns[name] = known
    }
}
