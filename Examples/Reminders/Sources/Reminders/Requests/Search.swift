import Foundation
import Squall

/// A reminder that has the words of a search.
struct SearchHit: Codable, Equatable {
    let id: Int64
    let list: String
    let title: String
    /// Words around the first hits, which are in brackets.
    let snippet: String
}

extension Connection {
    /// Returns the 20 best hits. Words in titles count three times.
    func search(_ text: String) throws -> [SearchHit] {
        guard let pattern = searchPattern(text) else { return [] }
        return try query(
            """
            SELECT reminders.id, lists.name AS list, reminders.title,
                snippet(reminder_words, -1, '[', ']', '…', 12) AS snippet
            FROM reminder_words
            JOIN reminders ON reminders.id = reminder_words.rowid
            JOIN lists ON lists.id = reminders.list
            WHERE reminder_words MATCH \(pattern)
            ORDER BY bm25(reminder_words, 3, 1), reminders.id
            LIMIT 20
            """)
    }
}

/// The right side of MATCH is a language of its own: in quotes, every word is only a word. The star makes the last word
/// a prefix, so that a search can run while the user types. A text without words returns nil.
func searchPattern(_ text: String) -> String? {
    let words = text.unicodeScalars.split { $0.properties.isWhitespace || $0 == "\"" || $0 == "\0" }
    if words.isEmpty { return nil }
    return words.map { "\"\(String($0))\"" }.joined(separator: " ") + "*"
}
