import Dispatch
import Squall

private let endless: SQL = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

/// A button by which a person at another screen stops a statement.
struct StopButton: Sendable {
    let handle: InterruptHandle

    func press() { DispatchQueue.global().async { handle.interrupt() } }
}

/// A number of virtual machine instructions that a guest may use.
final class Budget {
    private var thousands: Int

    init(thousands: Int) { self.thousands = thousands }

    /// Called after each thousand instructions.
    func spend() -> Connection.ProgressResult {
        thousands -= 1
        return thousands >= 0 ? .proceed : .interrupt
    }
}

func endEndlessStatements() throws {
    let guest = try Guest()
    let connection = guest.connection
    print("Without end:")

    let budget = Budget(thousands: 50)
    try connection.progressHandler(every: 1000) { budget.spend() }
    try report("a budget of 50,000 instructions", connection)
    try connection.progressHandler(nil)

    try connection.withDeadline(.milliseconds(20)) { try report("a deadline", connection) }

    // The button is pressed when the statement has begun.
    let button = StopButton(handle: connection.interruptHandle)
    var isPressed = false
    try connection.progressHandler {
        if !isPressed { button.press() }
        isPressed = true
        return .proceed
    }
    try report("the button", connection)

    connection.close()
    print("  the guest has left: \(connection.isClosed)")
}

private func report(_ reason: String, _ connection: Connection) throws {
    do {
        let count: Int = try connection.query(endless)
        print("  counted to \(count)")
    } catch let error as SQLiteError where error.resultCode == .interrupt {
        print("  ended by \(reason)")
    }
}
