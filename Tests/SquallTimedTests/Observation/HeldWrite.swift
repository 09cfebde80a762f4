import Squall

/// A transaction of another thread that has run a statement, and waits before it runs another one and commits.
struct HeldWrite {
    private let mayEnd: Gate
    private let thread: ThreadResult<Void>

    init(_ sql: SQL, to database: Database, then last: SQL? = nil) async {
        let (begun, mayEnd) = (Gate(), Gate())
        self.mayEnd = mayEnd
        thread = ThreadResult {
            try database.blocking.write { connection in
                try connection.run(sql)
                begun.open()
                mayEnd.wait()
                if let last { try connection.run(last) }
            }
        }
        await begun.passed()
    }

    func commit() throws {
        mayEnd.open()
        try thread.get()
    }
}
