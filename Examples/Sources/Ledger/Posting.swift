import Foundation
import Squall

/// Writes entries and lines of the bank with statements that are prepared once.
private struct Journal {
    private let entry: PreparedRecordInsert<Entry>
    /// The values of a line in the order of its columns.
    private let line: PreparedInsert<String, Int, Date>

    init(_ connection: Connection) throws {
        entry = try connection.prepareInsert(Entry.self)
        line = try connection.prepareInsert(into: BankLine.table)
    }

    func post(_ reference: String, _ amount: Int, on account: Int, note: String? = nil) throws {
        try entry.run(Entry(account: account, amount: amount, reference: reference, note: note))
    }

    func receive(_ reference: String, _ amount: Int) throws { try line.run(reference, amount, Date()) }
}

func post(_ connection: Connection) throws {
    try connection.insert(
        contentsOf: [
            Account(id: 1, name: "costs", parent: nil), Account(id: 2, name: "travel", parent: 1),
            Account(id: 3, name: "trains", parent: 2), Account(id: 4, name: "paper", parent: 1),
            Account(id: 5, name: "income", parent: nil),
        ])
    try connection.insert(ClosedPeriod(id: 1, first: 1, last: 31))
    let journal = try Journal(connection)
    try connection.transaction {
        try journal.post("R-1", -4_000, on: 3, note: "to Oslo")
        try journal.post("R-2", -1_250, on: 4)
        try journal.post("R-3", 90_000, on: 5, note: "invoice 17")
        try journal.post("R-4", -2_000, on: 2)
        try journal.receive("R-1", -4_000)
        try journal.receive("R-2", -1_520)
        try journal.receive("R-3", 90_000)
        try journal.receive("R-9", -300)
    }
}

/// Writes the same reference again, with each answer that SQL has to it.
func refuse(_ connection: Connection) throws {
    print("\n# A reference that is there already")
    // Without an answer of the statement, the column has one: its constraint says `ON CONFLICT ROLLBACK`.
    for answer: ConflictResolution? in [.ignore, .abort, nil] {
        try connection.execute("BEGIN; DELETE FROM entries WHERE reference = 'R-4'")
        do {
            try insert(["account": 4, "amount": -100, "reference": "R-1"], or: answer, connection)
            print("left out", terminator: "")
        } catch ResultCode.constraintUnique {
            print("refused", terminator: "")
        }
        // Only ROLLBACK also ends the transaction.
        let isOpen = connection.isInTransaction
        print(", the transaction is \(isOpen ? "open" : "rolled back")")
        if isOpen { try connection.execute("ROLLBACK") }
    }
    do {
        try insert(["account": 4, "amount": 0, "reference": "R-5"], or: nil, connection)
    } catch let error as SQLiteError where error.resultCode == .constraint {
        print(error.message)
    }
    // The time of an entry is that of the statement, where this gives none.
    try insert(
        ["account": 4, "amount": -100, "reference": "R-5", "note": "upper('stamps')" as SQL], or: nil, connection)
    let isNew: Bool = try connection.query(
        "SELECT abs(julianday('now') - julianday(written)) < 1 FROM entries WHERE note = 'STAMPS'")
    print("written now: \(isNew)")
    do {
        try connection.run("UPDATE closed_periods SET last_day = 0")
    } catch ResultCode.constraintCheck {
        print("a period does not end before it begins")
    }
}

private func insert(_ values: ColumnValues, or answer: ConflictResolution?, _ connection: Connection) throws {
    try connection.insert(into: "entries", values, or: answer)
}
