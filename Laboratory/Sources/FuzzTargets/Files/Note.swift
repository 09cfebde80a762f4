import Foundation
import Squall

/// A record of the table that is in each file.
struct Note: TableRecord, Equatable {
    let id: Int64?
    let name: String
    let score: Double?
    let bytes: Data?
    let made: Date?
    let kind: String?

    static let table = Table("notes", Note.init) {
        Column("id", \Note.id, .primaryKey)
        Column("name", \Note.name)
        Column("score", \Note.score)
        Column("bytes", \Note.bytes)
        Column("made", \Note.made)
        Column("kind", \Note.kind)
    }

    /// The values of a record, read by `Decodable`.
    struct Codable: Decodable {
        let id: Int64?
        let name: String
        let score: Double?
        let bytes: Data?
        let made: Date?
        let kind: String?
    }

    func isEqual(to other: Codable) -> Bool {
        id == other.id && name.utf8.elementsEqual(other.name.utf8) && score == other.score && bytes == other.bytes
            && made == other.made && kind == other.kind
    }
}
