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
        let query = filter.query(now: now)
        let page = try page(query, after: cursor, size: size)
        let ids = page.items.compactMap(\.id)
        return ReminderPage(
            reminders: try details(query.where { $0.id.in(ids) }),
            next: page.next?.description)
    }
}
