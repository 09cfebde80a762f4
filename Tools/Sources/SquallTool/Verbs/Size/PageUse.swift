import Squall

/// The pages that a table or an index occupies.
struct PageUse {
    let name: String
    private(set) var pages: Int64 = 0
    private(set) var bytes: Int64 = 0
    /// The bytes in those pages that hold nothing.
    private(set) var unused: Int64 = 0
    /// The pages that do not follow their predecessor in the file.
    private(set) var jumps: Int64 = 0
    private var last: Int64?

    fileprivate init(name: String) {
        self.name = name
    }

    /// The share of pages that do not follow their predecessor; `nil` for a single page.
    var fragmentation: Double? { pages > 1 ? Double(jumps) / Double(pages - 1) : nil }

    /// Adds the next page in the order of the tree.
    fileprivate mutating func add(page: Int64, size: Int64, unused: Int64) {
        if let last, page != last + 1 { jumps += 1 }
        last = page
        pages += 1
        bytes += size
        self.unused += unused
    }
}

extension Connection {
    /// Returns the pages of all tables and indexes, the largest first.
    ///
    /// - Throws: ``SQLiteError`` if SQLite was compiled without `dbstat`.
    func pageUse() throws -> [PageUse] {
        let options: [String] = try query("PRAGMA compile_options")
        guard options.contains("ENABLE_DBSTAT_VTAB") else {
            throw SQLiteError(
                code: ResultCode.error.rawValue,
                message: "this SQLite cannot report the size of tables",
                hint: "use an SQLite that was compiled with SQLITE_ENABLE_DBSTAT_VTAB"
            )
        }
        var uses: [PageUse] = []
        // The virtual table has one row for each page, in the order of each tree.
        try forEach("SELECT name, pageno, pgsize, unused FROM dbstat('main')") { row in
            let name: String = try row.get(0)
            if uses.last?.name.isSameName(as: name) != true { uses.append(PageUse(name: name)) }
            try uses[uses.count - 1].add(page: row.get(1), size: row.get(2), unused: row.get(3))
        }
        return uses.sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
    }
}
