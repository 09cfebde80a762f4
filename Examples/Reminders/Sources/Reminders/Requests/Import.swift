import Foundation
import Squall

/// An error at a line of an imported file. Nothing of the file has been imported.
struct ImportError: Error, CustomStringConvertible {
    let line: Int
    let reason: any Error

    var description: String { "line \(line): \(reason)" }
}

extension Connection {
    /// Imports a file that has one reminder as JSON in each line, and returns the number of reminders.
    ///
    /// Call it in a transaction, which `write` is: an error at any line then undoes all of them.
    func importReminders(from file: Data) throws -> Int {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let insertReminder = try prepareInsert(Reminder.self)
        let insertTag = try prepareInsert(ReminderTag.self)
        var lists = KnownIDs()
        var tags = KnownIDs()
        var count = 0
        for (index, line) in file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            if line.isEmpty { continue }
            do {
                let new = try decoder.decode(NewReminder.self, from: line)
                let list = try lists.id(of: new.list) { try listIDAddingIfNew($0) }
                let tagIDs = try (new.tags ?? []).map { try tags.id(of: $0) { try tagIDAddingIfNew($0) } }

                let reminder: Int64 = try insertReminder.run(new.reminder(list: list))
                for tag in Set(tagIDs) { try insertTag.run(ReminderTag(reminder: reminder, tag: tag)) }
                count += 1
            } catch {
                throw ImportError(line: index + 1, reason: error)
            }
        }
        return count
    }
}

/// The ids of names that occur again and again: each is looked up once.
private struct KnownIDs {
    private var ids: [String: Int64] = [:]

    mutating func id(of name: String, lookUp: (String) throws -> Int64) rethrows -> Int64 {
        if let id = ids[name] { return id }
        let id = try lookUp(name)
        ids[name] = id
        return id
    }
}
