import NIOCore
import Squall
import Testing

@testable import SquallCluster

/// The machine of a connection without one: waiters are numbers.
@Suite struct MachineTests {
    typealias Machine = RequestMachine<Int>

    static func machine(capacity: Int = 64, drainLimit: Int = 1_000) -> Machine {
        Machine(settings: .init(statementCapacity: capacity, drainLimit: drainLimit))
    }

    static func job(
        _ waiter: Int, _ work: Job<Int>.Work = .request(.leader), deadline: NIODeadline = .distantFuture
    ) -> Job<Int> {
        Job(work: work, waiter: waiter, deadline: deadline)
    }

    static func statement(
        _ waiter: Int, _ sql: String, _ values: [BindingValue] = [], _ use: StatementUse = .execute
    ) -> Job<Int> {
        job(waiter, .statement(sql: sql, values: values, use: use))
    }

    static let node = Message.made(.node) { body in
        body.writeWord(0)
        body.writeWord(0)
    }
    static let empty = Message.made(.empty) { $0.writeWord(0) }
    static let result = Message.made(.result) { body in
        body.writeWord(0)
        body.writeWord(0)
    }

    static func prepared(_ id: UInt64, parameters: UInt64 = 0, schema: UInt8 = 0) -> Message {
        .made(.statement, schema: schema) { body in
            body.writeWord(id << 32)
            body.writeWord(parameters)
            if schema > 0 { body.writeWord(0) }
        }
    }

    static func rows(_ marker: RowPart.Marker) -> Message {
        .made(.rows) { body in
            body.writeWord(1)
            body.writeWireText("a")
            body.writeWord(marker.rawValue)
        }
    }

    @Test func requestsAreSentOneAtATimeInOrder() {
        var machine = Self.machine()
        machine.submit(Self.job(1))
        machine.submit(Self.job(2, .request(.describe)))
        #expect(machine.actions() == ["send leader"])
        machine.receive(Self.node)
        #expect(machine.actions() == ["1 message 1", "send describe"])
        #expect(machine.actions() == [])
    }

    @Test func aStatementIsPreparedOnce() {
        var machine = Self.machine()
        machine.submit(Self.statement(1, "INSERT INTO t VALUES(?)", [.null]))
        #expect(machine.actions() == ["send prepare(sql: \"INSERT INTO t VALUES(?)\")"])
        machine.receive(Self.prepared(4, parameters: 1))
        let execute = "send execute(statement: 4, values: [Squall.BindingValue.null])"
        #expect(machine.actions() == [execute])
        machine.receive(Self.result)
        #expect(machine.actions() == ["1 message 6"])
        machine.submit(Self.statement(2, "INSERT INTO t VALUES(?)", [.null]))
        #expect(machine.actions() == [execute])
    }

    @Test func aStatementIsFinalizedToMakeRoom() {
        var machine = Self.machine(capacity: 1)
        machine.submit(Self.statement(1, "DELETE FROM a"))
        machine.receive(Self.prepared(4))
        machine.receive(Self.result)
        _ = machine.actions()
        machine.submit(Self.statement(2, "DELETE FROM b"))
        #expect(machine.actions() == ["send finalize(statement: 4)"])
        machine.receive(Self.empty)
        #expect(machine.actions() == ["send prepare(sql: \"DELETE FROM b\")"])
    }

    @Test func anOpenedDatabaseForgetsTheStatements() {
        var machine = Self.machine()
        machine.submit(Self.statement(1, "DELETE FROM a"))
        machine.receive(Self.prepared(4))
        machine.receive(Self.result)
        machine.submit(Self.job(2, .request(.open(name: "app"))))
        machine.receive(.made(.database) { $0.writeWord(0) })
        _ = machine.actions()
        machine.submit(Self.statement(3, "DELETE FROM a"))
        #expect(machine.actions() == ["send prepare(sql: \"DELETE FROM a\")"])
    }

    @Test func valuesOfAnotherNumberAreRefused() {
        var machine = Self.machine()
        machine.submit(Self.statement(1, "DELETE FROM a"))
        machine.receive(Self.prepared(4, parameters: 2))
        machine.submit(Self.job(2))
        _ = machine.actions()
        machine.receive(Self.node)
        machine.submit(Self.statement(3, "DELETE FROM a", Array(repeating: .null, count: 256)))
        #expect(machine.actions() == ["2 message 1", "3 the statement has 2 parameters, but 256 values were given"])
    }

    @Test(arguments: [UInt8(0), 1]) func manyParametersNeedANewNode(schema: UInt8) {
        var machine = Self.machine()
        machine.submit(Self.statement(1, "DELETE FROM a", Array(repeating: .null, count: 256)))
        machine.receive(Self.prepared(4, parameters: 256, schema: schema))
        let last = machine.actions().last ?? ""
        #expect(last.hasPrefix(schema == 0 ? "1 256 parameters exceed the node's limit of 255" : "send execute"))
    }

    @Test func rowsAreDeliveredTogetherAndReadOnDemand() {
        var machine = Self.machine()
        machine.submit(Self.job(1, .rows(.querySQL("", values: []))))
        machine.receive(Self.rows(.more))
        machine.receive(Self.rows(.more))
        #expect(machine.actions().count == 1)
        machine.deliverRows()
        #expect(machine.actions() == ["1 rows 2, more"])
        #expect(machine.wantsRead && machine.awaitsRows)
        machine.receive(Self.rows(.done))
        #expect(!machine.awaitsRows)
        #expect(!machine.wantsRead)
        machine.submit(Self.job(2))
        #expect(machine.actions() == ["2 the rows of an earlier query are still open"])
        machine.requestRows(3, deadline: .distantFuture)
        #expect(machine.actions() == ["3 rows 1, last"])
        #expect(machine.wantsRead)
        machine.submit(Self.job(4))
        #expect(machine.actions() == ["send leader"])
    }

    @Test func abandonedRowsAreInterruptedAndDrained() {
        var machine = Self.machine()
        machine.submit(Self.statement(1, "SELECT 1", [], .query))
        machine.receive(Self.prepared(4))
        machine.receive(Self.rows(.more))
        machine.deliverRows()
        _ = machine.actions()
        machine.abandonRows(now: .now())
        machine.submit(Self.job(2))
        #expect(machine.actions() == ["send interrupt"])
        // dqlite 1.11 sends the rows to their end.
        machine.receive(Self.rows(.more))
        machine.receive(Self.rows(.done))
        machine.receive(Self.empty)
        #expect(machine.actions() == ["send leader"])
    }

    @Test func anInterruptedStatementIsFinalized() {
        var machine = Self.machine()
        machine.submit(Self.statement(1, "SELECT 1", [], .query))
        machine.receive(Self.prepared(4))
        machine.receive(Self.rows(.more))
        machine.deliverRows()
        machine.abandonRows(now: .now())
        _ = machine.actions()
        machine.submit(Self.job(2))
        machine.receive(Self.empty)
        #expect(machine.actions() == ["send finalize(statement: 4)"])
        machine.receive(Self.empty)
        #expect(machine.actions() == ["send leader"])
    }

    @Test func longAbandonedRowsCloseTheConnection() {
        var machine = Self.machine(drainLimit: 50)
        machine.submit(Self.job(1, .rows(.querySQL("", values: []))))
        machine.receive(Self.rows(.more))
        machine.deliverRows()
        machine.abandonRows(now: .now())
        for _ in 0..<3 { machine.receive(Self.rows(.more)) }
        #expect(machine.actions().last == "close the connection is closed")
    }

    @Test func aCancelledJobThatWaitsIsRemoved() {
        var machine = Self.machine()
        machine.submit(Self.job(1))
        machine.submit(Self.job(2))
        _ = machine.actions()
        machine.cancel(2)
        #expect(machine.actions() == ["2 CancellationError()"])
        machine.cancel(1)
        #expect(machine.actions() == ["close the connection is closed", "1 CancellationError()"])
        machine.submit(Self.job(3))
        #expect(machine.actions() == ["3 the connection is closed"])
        machine.cancel(9)
        #expect(machine.actions() == [])
    }

    @Test func lateJobsEnd() {
        var machine = Self.machine()
        let soon = NIODeadline.uptimeNanoseconds(10)
        let later = NIODeadline.uptimeNanoseconds(20)
        machine.submit(Self.statement(1, "DELETE FROM a"))
        machine.submit(Self.job(2, deadline: soon))
        machine.receive(Self.prepared(1))
        #expect(machine.nextDeadline == soon)
        _ = machine.actions()
        machine.endLateJobs(now: soon)
        #expect(machine.actions() == ["2 the deadline passed"])
        #expect(machine.nextDeadline == nil)
        machine.receive(Self.result)
        machine.submit(Self.job(3, deadline: later))
        _ = machine.actions()
        machine.endLateJobs(now: later)
        #expect(
            machine.actions() == [
                "close the connection is closed", "3 the deadline passed; the node may have run the request",
            ])
    }

    @Test func onlyASentRequestMayHaveRun() {
        var machine = Self.machine()
        machine.submit(Self.job(1))
        machine.submit(Self.job(2))
        _ = machine.actions()
        machine.close(.connectionLost(reason: "gone", mayHaveRun: false))
        #expect(
            machine.actions().sorted() == [
                "1 the connection was lost: gone; the node may have run the request",
                "2 the connection was lost: gone",
                "close the connection was lost: gone",
            ])
    }

    @Test func aReplyOfAnotherTypeClosesTheConnection() {
        var machine = Self.machine()
        machine.submit(Self.job(1))
        _ = machine.actions()
        machine.receive(Self.empty)
        #expect(machine.actions().count == 2)
        var idle = Self.machine()
        idle.receive(Self.empty)
        #expect(idle.actions() == ["close the node sent a malformed reply: a reply of type 8 without a request"])
    }
}

extension RequestMachine {
    /// Performs the actions and describes them.
    fileprivate mutating func actions() -> [String] {
        var texts: [String] = []
        while let action = takeAction() {
            switch action {
            case .send(let request): texts.append("send \(request)")
            case .close(let error): texts.append("close \(error)")
            case .resume(let waiter, .success(.message(let message))): texts.append("\(waiter) message \(message.type)")
            case .resume(let waiter, .success(.prepared)): texts.append("\(waiter) prepared")
            case .resume(let waiter, .success(.rows(let parts, let isLast))):
                texts.append("\(waiter) rows \(parts.count), \(isLast ? "last" : "more")")
            case .resume(let waiter, .failure(let error)):
                texts.append("\(waiter) \(error)")
            }
        }
        return texts
    }
}

extension Message {
    static func made(_ type: ReplyType, schema: UInt8 = 0, _ write: (inout ByteBuffer) -> Void) -> Message {
        var bytes = ByteBuffer.message(type, schema: schema, write)
        bytes.moveReaderIndex(forwardBy: 8)
        return Message(type: type.rawValue, schema: schema, body: bytes)
    }
}
