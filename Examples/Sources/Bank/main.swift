// Accounts in any store: `swift run Bank`. The same program runs on a file, and on a store that only tries out what it would do.

import ExampleSupport
import Squall
import SquallStore

await runExample {
    let database = try Database("bank.db")
    let bank = Bank(store: database)
    try await database.migrate(Bank<Database>.schema)
    try await database.write {
        try $0.insert(contentsOf: [
            Account(id: 1, owner: "Ada", balance: 100), Account(id: 2, owner: "Bo", balance: 0),
        ])
    }

    print("A request that is sent twice:")
    for _ in 1...2 { print("  \(try await bank.move(30, from: 1, to: 2, request: "r1"))") }
    print("  \(try await bank.balances())")

    print("Closing an account, tried out on another connection:")
    let trial = Bank(store: try DryRun("bank.db"))
    try await trial.printStatement()
    try await trial.close(2)
    print("  nothing was written: \(try await bank.closedOwners())")
    try await bank.close(2)
    print("  written: \(try await bank.closedOwners())")

    print("A migration, tried out on an empty file:")
    _ = try await DryRun("empty.db").migrate(Bank<DryRun>.schema)
    try await database.close()
}
