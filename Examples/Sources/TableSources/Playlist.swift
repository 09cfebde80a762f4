import Foundation
import Squall

/// The songs that a player is to play: an array of the program, which SQL reads and changes.
///
///     UPDATE playlist SET seconds = 562 WHERE title = 'So What'
final class Playlist: WritableTableSource {
    struct Song {
        let id: Int64
        var title: String
        var seconds: Int
        /// The beginning of the sound.
        var clip: Data
    }

    private static let largestClip = 1_000

    private(set) var songs: [Song] = []

    /// The songs as they were at each level of the transaction.
    private var saved: [(level: Int, songs: [Song])] = []

    let columns = [
        VirtualColumn("title", collation: "NOCASE", \Song.title), VirtualColumn("seconds", \.seconds),
        VirtualColumn("clip", \.clip),
    ]

    func rows(_ scan: borrowing Scan) -> [Song] { songs }

    func rowID(of row: Song) -> Int64? { row.id }

    // MARK: Changes

    func insert(_ row: borrowing WrittenRow) throws -> Int64 {
        let id = row.rowID ?? (songs.map(\.id).max() ?? 0) + 1
        songs.append(try acceptedSong(id, row))
        return id
    }

    func update(_ rowID: Int64, _ row: borrowing WrittenRow) throws {
        let song = try acceptedSong(row.rowID ?? rowID, row, replacing: rowID)
        if let index = songs.firstIndex(where: { $0.id == rowID }) { songs[index] = song }
    }

    func delete(_ rowID: Int64) { songs.removeAll { $0.id == rowID } }

    /// Makes the song of a row. If there is one of the same title or id, the statement decides which of them stays.
    private func acceptedSong(_ id: Int64, _ row: borrowing WrittenRow, replacing old: Int64? = nil) throws -> Song {
        // Measured where SQLite has the bytes, before they are copied.
        guard try row.withBytes(2, { $0.byteCount }) <= Self.largestClip else {
            throw rejection("a clip has at most \(Self.largestClip) bytes")
        }
        let title: String = try row.get("title")
        let isSame = { (song: Song) in song.id != old && (song.id == id || song.title == title) }
        if songs.contains(where: isSame) {
            switch row.conflict {
            case .replace: songs.removeAll(where: isSame)
            // SQLite then leaves the row out, or ends the statement or the transaction.
            case .ignore, .fail, .abort, .rollback: throw rejection("\(title) is in the list already")
            }
        }
        return Song(id: id, title: title, seconds: try row.get("seconds"), clip: try row.get("clip"))
    }

    /// The error of a row that the list does not accept. SQLite treats it as the violation of a constraint.
    private func rejection(_ message: String) -> SQLiteError {
        SQLiteError(code: ResultCode.constraint.rawValue, message: message)
    }

    // MARK: Transactions

    func begin() { saved = [(0, songs)] }

    func commit() { saved = [] }

    func rollBack() {
        rollBack(to: 0)
        saved = []
    }

    func savepoint(_ level: Int) {
        release(level)
        saved.append((level, songs))
    }

    func release(_ level: Int) { saved.removeAll { $0.level >= level } }

    func rollBack(to level: Int) {
        saved.removeAll { $0.level > level }
        if let kept = saved.last { songs = kept.songs }
    }
}
