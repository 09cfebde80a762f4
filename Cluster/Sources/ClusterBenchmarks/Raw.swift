#if os(Linux)
    import CRawClient

    /// The client in C, with its statements.
    struct Raw: Sendable {
        private struct Failure: Error {}

        private let client: Int32
        private let begin: Int32
        private let beginReading: Int32
        private let commit: Int32
        let insert: Int32
        private let point: Int32
        private let items: Int32

        init(_ port: Int) throws {
            client = raw_connect(Int32(port))
            guard client >= 0, raw_open(client, "app") >= 0 else { throw Failure() }
            begin = raw_prepare(client, "BEGIN IMMEDIATE")
            beginReading = raw_prepare(client, "BEGIN")
            commit = raw_prepare(client, "COMMIT")
            insert = raw_prepare(client, "INSERT INTO numbers VALUES(?)")
            point = raw_prepare(client, "SELECT name FROM items WHERE id = ?")
            items = raw_prepare(client, "SELECT * FROM items")
            guard items >= 0 else { throw Failure() }
        }

        func run(_ statement: Int32, _ value: Int) throws {
            if raw_execute(client, statement, 1, Int64(value)) < 0 { throw Failure() }
        }

        private func run(_ statement: Int32) throws {
            if raw_execute(client, statement, 0, 0) < 0 { throw Failure() }
        }

        func write(_ number: Int) throws {
            try run(begin)
            try run(insert, number)
            try run(commit)
        }

        /// The same beside other writers: BEGIN is repeated while one of them has the lock.
        func writeWaiting(_ number: Int) throws {
            while raw_execute(client, begin, 0, 0) < 0 {}
            try run(insert, number)
            try run(commit)
        }

        func select(_ number: Int) throws {
            if raw_query(client, point, 1, Int64(number % 1000 + 1)) < 0 { throw Failure() }
        }

        func snapshot(_ number: Int) throws {
            try run(beginReading)
            try select(number)
            try run(commit)
        }

        func all() throws {
            if raw_query(client, items, 0, 0) < 0 { throw Failure() }
        }
    }
#endif
