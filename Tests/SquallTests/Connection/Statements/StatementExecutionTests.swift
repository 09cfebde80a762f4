import Testing

@testable import Squall

/// The state machine of a statement, without SQLite.
struct StatementExecutionTests {
    @Test func singleStepsEnterARowAndLeaveIt() {
        var execution = Statement.Execution.idle
        execution.beginReading()
        #expect(execution == .offRow)
        execution.enterRow()
        #expect(execution == .onRow)
        execution.beginReading()
        #expect(execution == .onRow)
        execution.leaveRow()
        #expect(execution == .offRow)
        let needsReset = execution.rewind()
        #expect(!needsReset)
        #expect(execution == .idle)
    }

    @Test func aLoopHoldsTheStorageBeforeItsFirstAndAfterItsLastRow() {
        var execution = Statement.Execution.idle
        execution.beginReading()
        execution.beginLoop()
        #expect(execution.isInLoop && !execution.isOnRow)
        execution.enterRow()
        #expect(execution.isInLoop && execution.isOnRow)
        execution.leaveRow()
        #expect(execution.isInLoop && !execution.isOnRow)
        execution.endLoop()
        #expect(execution == .offRow)
    }

    @Test func aLoopThatBeginsOrStopsOnARowStaysThere() {
        var execution = Statement.Execution.onRow
        execution.beginLoop()
        #expect(execution == .loopOnRow)
        execution.endLoop()
        #expect(execution == .onRow)
        let needsReset = execution.rewind()
        #expect(needsReset)
        #expect(execution == .idle)
    }

    @Test func resettingAnIdleStatementChangesNothing() {
        var execution = Statement.Execution.idle
        execution.leaveRow()
        #expect(execution == .idle)
        let needsReset = execution.rewind()
        #expect(!needsReset)
    }
}
