import Squall
import SquallSearch

/// Full-text search: the index is always in step with its table.
struct SearchScenario: Scenario {
    var name: String { "full-text search" }

    private struct Mail: Searchable {
        let id: Int64?
        let subject: String
        let body: String?

        static let table = Table("mails", Mail.init) {
            Column("id", \Mail.id, .primaryKey)
            Column("subject", \Mail.subject)
            Column("body", \Mail.body)
        }
        static let searchTable = SearchTable(
            "mails_search", of: table, columns: \.subject, \.body, tokenizer: .cjk)
    }

    func prepare(_ connection: Connection) throws {
        try connection.create(Mail.table)
        try connection.create(Mail.searchTable)
        try connection.insert(contentsOf: [
            Mail(id: 1, subject: "meeting on monday", body: "about 日本語 and swift"),
            Mail(id: 2, subject: "lunch", body: nil),
        ])
    }

    func open(_ folder: String) async throws -> Connection {
        let connection = try Connection("\(folder)/main.db", configuration: .laboratory())
        try connection.addCJKTokenizer()
        try connection.addRankingFunction("shortest") { match in
            Double(try match.column(0, as: String.self).utf8.count)
        }
        return connection
    }

    var steps: [Step<Connection>] {
        [
            Step { connection in
                let found = try connection.all(
                    Mail.search(.allWords("swift 日本", lastIsPrefix: true))
                        .order { $0.rank }
                        .select {
                            ($0.id, $0.highlight(\.subject, around: "<", ">"), $0.snippet(\.body, around: "<", ">"))
                        })
                try expect(found.map(\.0), [1])
            },
            Step { try $0.insert(contentsOf: [Mail(id: 3, subject: "another monday", body: "swift sqlite")]) },
            Step { connection in
                let ids: [Int] = try connection.query(
                    "SELECT rowid FROM mails_search WHERE mails_search MATCH 'monday' ORDER BY shortest(mails_search)")
                try expect(ids, [3, 1])
            },
            Step { _ = try $0.update(Mail(id: 1, subject: "changed subject", body: "other words")) },
            Step { connection in
                _ = try connection.delete(Mail.self) { $0.id == 2 }
            },
            Step { connection in try connection.optimize(Mail.searchTable) },
            Step { connection in try connection.rebuild(Mail.searchTable) },
        ]
    }

    func use(_ connection: Connection, after fault: Fault) async throws {
        try Probe.write(connection)
        do {
            try connection.integrityCheck(Mail.searchTable)
        } catch ResultCode.corrupt {
            // FTS5 of SQLite 3.40 can keep a wrong state in the memory of the connection when an allocation of its own fails
            // while it deletes. The file must be right.
            let other = try Connection(connection.fileName, configuration: .laboratory())
            defer { other.close() }
            try other.addCJKTokenizer()
            try other.integrityCheck(Mail.searchTable)
        }
    }
}
