import Testing

@testable import Squall

/// The changes of a transaction, with those of its savepoints apart.
struct PendingChangesTests {
    private static let inserted = RowChanges(columns: .none, changesRows: true, rowIDs: [])

    private func tables(_ steps: (inout PendingChanges) -> Void) -> Set<String> {
        var pending = PendingChanges()
        steps(&pending)
        return Set(pending.take().tables.keys.map(\.table.spelling))
    }

    @Test func aReleasedSavepointKeepsItsChanges() {
        let tables = tables {
            $0.insert(TableName("a"), Self.inserted)
            $0.apply(.begin("s"))
            $0.insert(TableName("b"), Self.inserted)
            $0.apply(.begin("t"))
            $0.insert(TableName("c"), Self.inserted)
            $0.apply(.release("S"))
        }
        #expect(tables == ["a", "b", "c"])
    }

    @Test func aRollbackForgetsWhatCameAfterTheSavepoint() {
        let tables = tables {
            $0.insert(TableName("a"), Self.inserted)
            $0.apply(.begin("s"))
            $0.insert(TableName("b"), Self.inserted)
            $0.apply(.begin("s"))
            $0.insert(TableName("c"), Self.inserted)
            $0.apply(.rollBack("s"))
            $0.insert(TableName("d"), Self.inserted)
            $0.apply(.release("s"))
            $0.apply(.rollBack("s"))
            $0.insert(TableName("e"), Self.inserted)
        }
        #expect(tables == ["a", "e"])
    }

    @Test func anUnknownSavepointChangesNothing() {
        let tables = tables {
            $0.insert(TableName("a"), Self.inserted)
            $0.apply(.rollBack("s"))
            $0.apply(.release("s"))
        }
        #expect(tables == ["a"])
    }

    @Test(arguments: [
        ("SAVEPOINT a", SavepointAction.begin("a")),
        (" -- note\n savepoint/**/\"a b\" ;", .begin("a b")),
        ("RELEASE a", .release("a")),
        ("RELEASE SAVEPOINT savepoint", .release("savepoint")),
        ("ROLLBACK TO a", .rollBack("a")),
        ("ROLLBACK TRANSACTION TO SAVEPOINT 'it''s'", .rollBack("it's")),
        ("ROLLBACK TO savepoint", .rollBack("savepoint")),
        ("ROLLBACK", nil),
        ("ROLLBACK TRANSACTION", nil),
        ("SELECT 1", nil),
    ])
    func savepointStatements(sql: String, action: SavepointAction?) {
        #expect(StatementFacts(sql).savepoint == action)
        #expect(
            (StatementVerb(beginning: sql)?.mayUseSavepoint == true) == (action != nil || sql.hasPrefix("ROLLBACK")))
    }
}
