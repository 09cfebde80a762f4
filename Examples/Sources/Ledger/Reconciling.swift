import Squall

/// The entries and the lines of the bank with the same reference. Where one side has none, its columns and its record are `nil`.
private func bothSides() -> JoinedQuery<OptionalColumns<Entry>, OptionalColumns<BankLine>> {
    Entry.fullJoin(BankLine.self) { $0.reference == $1.reference }
}

private func differ(_ entry: OptionalColumns<Entry>, _ line: OptionalColumns<BankLine>) -> Condition {
    !entry.amount.isSame(as: line.amount)
}

func reconcile(_ connection: Connection) throws {
    print("\n# Both sides")
    let differences = bothSides().where(differ).order { ($0.reference.ascending.nullsLast, $1.reference) }
    for (entry, line) in try connection.all(differences) {
        switch (entry, line) {
        case (let entry?, let line?): print("\(entry.reference): \(entry.amount) here, \(line.amount) at the bank")
        case (let entry?, nil): print("\(entry.reference): \(entry.amount) only here")
        case (nil, let line?): print("\(line.reference): \(line.amount) only at the bank")
        case (nil, nil): break
        }
    }

    // Each line of the bank, with the account if its entry is there.
    let booked = Account.join(Entry.self) { $0.id == $1.account }
        .rightJoin(BankLine.self) { $1.reference == $2.reference }
        .order { $2.reference }.select { ($2.reference, $0.name) }
    for (reference, account) in try connection.all(booked) { print("\(reference) on \(account ?? "no account")") }
}

func compareSets(_ connection: Connection) throws {
    print("\n# References as sets")
    let ours = Entry.select { $0.reference }
    let theirs = BankLine.select { $0.reference }
    try show("on both sides", ours.intersect(theirs), connection)
    try show("only here", ours.except(theirs), connection)
    try show("on any side", ours.union(theirs), connection)
    // Each side once, also where they are equal.
    print("lines of both: \(try connection.count(ours.unionAll(theirs)))")
}

/// Prints the rows of a query that combines others, in their own order.
private func show<Rows: QuerySource>(_ name: String, _ query: CompoundQuery<Rows>, _ connection: Connection) throws
where Rows.Output == String {
    print("\(name): \((try connection.all(query) as [String]).sorted().joined(separator: ", "))")
}
