import Foundation
import Squall

struct ReminderPage: Codable {
    let reminders: [ReminderDetails]
    /// The text of the cursor for the next page, or nil for the last page.
    let next: String?
}

extension Connection {
    func reminders(
        _ filter: ReminderFilter, after cursor: PageCursor? = nil, size: Int = 50, now: Date
    ) throws -> ReminderPage {
        let page = try page(
            filter.query(now: now), after: cursor, size: size,
            including: Reminder.inList, Reminder.tags.order { $0.name })
        return ReminderPage(
            reminders: page.items.map { ReminderDetails($0, in: $1, tags: $2) }, next: page.next?.description)
    }
}
