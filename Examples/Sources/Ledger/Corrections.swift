import Squall

/// The assignments that make an entry what the bank says.
private func followBank(_ entry: UpdateTarget<Entry>, _ line: Columns<BankLine>) -> [TargetAssignment<Entry>] {
    [take(entry.amount, from: line.amount), take(entry.note, "as the bank has it")]
}

private func take<Value: StatementParameter>(
    _ column: AssignableColumn<Entry, Value>, from other: Expr<Value>
) -> TargetAssignment<Entry> {
    column.set(to: other)
}

private func take<Value: StatementParameter>(
    _ column: AssignableColumn<Entry, Value>, _ value: Value
) -> TargetAssignment<Entry> {
    column.set(to: value)
}

/// The assignments for a line that the bank sends again: its amounts are added up.
private func addUp(_ line: UpsertColumns<BankLine>) -> [Assignment] {
    [line.amount.set(to: line.amount + line.excluded.amount), line.received.set(to: line.excluded.received)]
}

func correct(_ connection: Connection) throws {
    print("\n# Corrections")
    let corrected = try connection.update(Entry.self, from: BankLine.self, set: followBank) { entry, line in
        entry.reference == line.reference && entry.amount != line.amount
    }
    print("\(corrected) entry corrected")
    try connection.insert(
        contentsOf: [BankLine(reference: "R-9", amount: -50), BankLine(reference: "R-10", amount: 700)],
        onConflict: \.reference, set: addUp)
    print(try connection.all(BankLine.where { $0.reference.hasPrefix("R-9") }).map(\.amount))

    // The rows as they are afterwards, or were before they were deleted.
    let rounded = try connection.updateReturning(Entry.self) {
        $0.amount.set(to: $0.amount - $0.amount.remainder(dividingBy: 100))
    } where: {
        $0.amount.remainder(dividingBy: 100) != 0
    }
    print("rounded: \(rounded.map { "\($0.reference) \($0.amount)" })")
    let removed = try connection.deleteReturning(Entry.self) { $0.note == "STAMPS" }
    print("removed: \(removed.map { "\($0.reference) \($0.amount)" })")
}
