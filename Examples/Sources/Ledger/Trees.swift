import Squall

/// The sum of the entries of an account.
private struct Balance {
    let account: String
    let amount: Int
}

/// The accounts inside an account, and the account itself.
private func tree(_ root: String, _ union: RecursiveUnion) -> CommonTable<Columns<Account>> {
    Account.where { $0.name == root }.recursive("tree", union: union) { tree in
        Account.join(tree) { $0.parent == $1.id }.select { account, _ in account.record }
    }
}

/// The balances of those accounts of a table that have entries.
private func balances<Accounts: QueryTable>(_ accounts: Accounts) -> Select<Balance>
where Accounts.Source == Columns<Account> {
    accounts.join(Entry.self) { $0.id == $1.account }
        .group { account, _ in account.id }.order { account, _ in account.name }
        .select(into: { Balance(account: $0, amount: $1 ?? 0) }) { ($0.name, $1.amount.sum()) }
}

func sumTrees(_ connection: Connection) throws {
    print("\n# Accounts inside accounts")
    for balance in try connection.all(balances(tree("costs", .all))) { print("\(balance.account): \(balance.amount)") }

    let parent: TableAlias<Account> = Account.as("parent")
    let withParent = Account.leftJoin(parent) { $0.parent == $1.id }.order { account, _ in account.id }
    let names = try connection.all(withParent.select { ($0.name, $1.name) })
    print(names.map { name, parent in parent.map { "\($0)/\(name)" } ?? name }.joined(separator: " "))

    // A sum for each account is a table that other queries join.
    let totals = Entry.group { $0.account }.select { ($0.account, $0.amount.sum()) }
    let large = Account.with("totals", totals) { $0.id == $1.0 }.where { $1.1 < -2_000 }.select { ($0.name, $1.1) }
    print("more than 20.00:", try connection.all(large).map { "\($0) \($1 ?? 0)" })

    // By mistake, an account is inside one that it contains. The recursion leaves out what it has found before, and ends.
    try connection.run("UPDATE accounts SET parent = 3 WHERE id = 1")
    print("in a circle: \(try connection.all(tree("costs", .distinct).query).map(\.name).sorted())")
    try connection.run("UPDATE accounts SET parent = NULL WHERE id = 1")
}
