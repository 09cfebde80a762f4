import Testing

/// Rollbacks for which SQLite has no memory. The limit is one of the process.
@Suite(.timeLimit(.minutes(10)))
struct RollbackMemoryTests {
    private func output(_ name: String) throws -> String {
        let (output, code) = try TestProcess(["memory", name]).end()
        #expect(code == 0, "\(output)")
        return output
    }

    @Test func aRollbackThatFailsIsRepeatedBeforeTheNextUse() throws {
        #expect(try output("rollback") == "[1, 3] false\n")
    }

    @Test func aSavepointThatCannotBeRolledBackTakesItsTransactionWithIt() throws {
        #expect(try output("savepoint") == "lost\n[1] false\n")
    }

    @Test func aWriteToABlobIsNotPartOfATransactionThatMustBeRolledBack() throws {
        #expect(try output("blob") == "[1, 2, 3, 4] [1, 9]\n")
    }

    @Test func aConnectionWithAnUnfinishedRollbackCanBeClosed() throws {
        #expect(try output("close") == "true\n")
    }
}
