#if os(Linux)
    import Squall
    import SquallCluster

    /// Tasks that write and read until they are cancelled.
    struct Load: Sendable {
        static let accounts = 10
        static let balance = 1_000

        let cluster: Cluster
        /// Another client, which repeats keys of the first.
        let other: Cluster
        let ledger = Ledger()

        static func schema(_ last: Int) -> Schema {
            Schema("faults") {
                Version(1) {
                    Execute(
                        """
                        CREATE TABLE entries(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
                        CREATE TABLE accounts(id INTEGER PRIMARY KEY, balance INTEGER NOT NULL CHECK (balance >= 0));
                        CREATE TABLE register(id INTEGER PRIMARY KEY, value INTEGER NOT NULL);
                        INSERT INTO register VALUES(1, 0);
                        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10)
                        INSERT INTO accounts SELECT i, 1000 FROM n
                        """)
                }
                if last > 1 {
                    Version(2) {
                        Execute("CREATE INDEX names ON entries(name); ALTER TABLE entries ADD COLUMN note TEXT")
                        AlterTable("accounts") { ChangeColumn("balance", to: Int.self) }
                    }
                }
            }
        }

        /// Runs tasks that write, and one that reads the sum of the accounts.
        func run(writers: Int) async {
            await withTaskGroup { group in
                for writer in 0..<writers { group.addTask { await write(writer) } }
                group.addTask { await readSums() }
            }
        }

        /// Calls the writes with keys again that were not acknowledged.
        func settle() async throws {
            for key in ledger.openKeys {
                try await insert(key, on: other, key: key)
                ledger.note(key, hasKey: true, nil)
            }
        }

        private func write(_ writer: Int) async {
            var count = 0
            while !Task.isCancelled {
                count += 1
                switch count % 4 {
                case 0: await transfer()
                case 1: await add("plain \(writer)-\(count)", on: cluster, hasKey: false)
                case 2: await add("key \(writer)-\(count)", on: cluster, hasKey: true)
                default: await repeatKey(count)
                }
            }
        }

        private func repeatKey(_ count: Int) async {
            guard let key = ledger.anyKey() else { return }
            ledger.noteRepetition()
            await add(key, on: count % 8 < 4 ? cluster : other, hasKey: true)
        }

        private func add(_ name: String, on client: Cluster, hasKey: Bool) async {
            do {
                try await insert(name, on: client, key: hasKey ? name : nil)
                ledger.note(name, hasKey: hasKey, nil)
            } catch {
                ledger.note(name, hasKey: hasKey, error)
            }
        }

        private func insert(_ name: String, on client: Cluster, key: String?) async throws {
            if let key {
                _ = try await client.write(idempotencyKey: key) { connection in
                    try await connection.run("INSERT INTO entries(name) VALUES(\(name))").changes
                }
            } else {
                try await client.write { _ = try await $0.run("INSERT INTO entries(name) VALUES(\(name))") }
            }
        }

        private func transfer() async {
            let (from, to) = (Int.random(in: 1...Self.accounts), Int.random(in: 1...Self.accounts))
            do {
                try await cluster.write { connection in
                    let balance: Int = try await connection.query("SELECT balance FROM accounts WHERE id = \(from)")
                    let amount = Int.random(in: 0...min(balance, 100))
                    try await connection.run("UPDATE accounts SET balance = balance - \(amount) WHERE id = \(from)")
                    try await connection.run("UPDATE accounts SET balance = balance + \(amount) WHERE id = \(to)")
                }
                ledger.note(nil)
            } catch {
                ledger.note(error)
            }
        }

        private func readSums() async {
            while !Task.isCancelled {
                do {
                    let sum = try await cluster.read { connection in
                        var sum = 0
                        for id in 1...Self.accounts {
                            let balance: Int = try await connection.query(
                                "SELECT balance FROM accounts WHERE id = \(id)")
                            sum += balance
                        }
                        return sum
                    }
                    ledger.note(sum: sum, expected: Self.accounts * Self.balance)
                } catch {
                    ledger.noteReadError(error)
                }
            }
        }
    }
#endif
