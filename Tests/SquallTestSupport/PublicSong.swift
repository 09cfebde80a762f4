import Squall

/// A record of a library, whose types say that they are `Sendable`: Swift infers it only for types that are not `public`.
public struct PublicSong: TableRecord, Sendable, Equatable {
    public enum Genre: String, Binding, Sendable { case jazz, rock }

    public let id: Int64?
    public let title: String
    public let genre: Genre

    public init(id: Int64?, title: String, genre: Genre) {
        self.id = id
        self.title = title
        self.genre = genre
    }

    public static let table = Table("songs", PublicSong.init) {
        Column("id", \PublicSong.id, .primaryKey)
        Column("title", \PublicSong.title)
        Column("genre", \PublicSong.genre)
    }
}
