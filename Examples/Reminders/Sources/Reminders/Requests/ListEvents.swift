import Squall

extension Database {
    /// Returns the first 100 open reminders of a list, now and after each change of them.
    ///
    /// The sequence ends with `NotFound` when the list is deleted.
    func openReminders(ofList id: Int64) -> some AsyncSequence<[ReminderDetails], any Error> & Sendable {
        observe(coalescing: .milliseconds(50), removingDuplicates: true) { connection in
            guard try connection.find(ReminderList.self, id) != nil else { throw NotFound("list \(id)") }
            let reminders = Reminder.where { $0.list == id && $0.doneAt == nil }
            return try connection.details(reminders.order { ($0.due.ascending.nullsLast, $0.id) }.limit(100))
        }
    }
}
