import Squall

struct Statistics: Codable, Equatable {
    struct List: Codable, Equatable {
        let name: String
        let open: Int
        let done: Int
    }

    struct Week: Codable, Equatable {
        /// The year and the number of the week, such as "2026-47".
        let week: String
        let done: Int
    }

    let lists: [List]
    let weeks: [Week]
}

extension Connection {
    func statistics() throws -> Statistics {
        let lists = ReminderList.leftJoin(Reminder.self) { $0.id == $1.list }
            .group { list, _ in list.id }
            .order { list, _ in list.name }
            .select(into: Statistics.List.init) {
                ($0.name, $1.id.count().filter(where: $1.doneAt == nil), $1.doneAt.count())
            }
        let weeks: [Statistics.Week] = try query(
            """
            SELECT strftime('%Y-%W', done_at) AS week, count(*) AS done
            FROM reminders WHERE done_at IS NOT NULL
            GROUP BY week ORDER BY week
            """)
        return Statistics(lists: try all(lists), weeks: weeks)
    }
}
