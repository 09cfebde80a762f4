import Foundation
import Squall

// Values of the program as tables of SQL: an array that SQL changes in transactions, a service on the network that gets the
// conditions of a statement, and a file of lines that SQL creates and drops.

func tableSources() throws {
    let connection = try Connection()
    try changePlaylist(connection)
    try queryService(connection)
    try keepLines(connection)
}

private func changePlaylist(_ connection: Connection) throws {
    print("# An array that SQL changes")
    let playlist = Playlist()
    // There is one list in the program: no statement may create another one.
    let use: ModuleUse = .eponymous
    try connection.register(named: "playlist", use: use) { _ in playlist }

    let clip = Data(repeating: 7, count: 400)
    try connection.transaction {
        try connection.run("INSERT INTO playlist VALUES('So What', 562, \(clip)), ('Naima', 261, \(clip))")
        try connection.run("INSERT INTO playlist VALUES('Blue in Green', 327, \(clip))")
    }
    try connection.run("UPDATE playlist SET seconds = seconds + 2 WHERE title = 'Naima'")
    print(playlist.songs.map { "\($0.title) \($0.seconds) s" }.joined(separator: ", "))

    // The table takes its changes back with the transaction, and with a savepoint.
    struct ChangedMind: Error {}
    try? connection.transaction {
        try connection.run("DELETE FROM playlist")
        print("deleted: \(playlist.songs.count) songs")
        throw ChangedMind()
    }
    print("rolled back: \(playlist.songs.count) songs")
    try connection.transaction {
        try connection.run("UPDATE playlist SET seconds = 0 WHERE title = 'Naima'")
        try? connection.savepoint {
            try connection.run("DELETE FROM playlist")
            throw ChangedMind()
        }
    }
    print("rolled back to the savepoint: \(playlist.songs.map(\.seconds))")

    // The statement decides what a second song of one title means.
    for insertion: SQL in [
        "INSERT INTO playlist VALUES('Naima', 300, \(clip))",
        "INSERT INTO playlist VALUES('Flamenco Sketches', 566, zeroblob(4000))",
    ] {
        do {
            try connection.run(insertion)
        } catch let error as SQLiteError where error.resultCode == .constraint {
            print(error.message)
        }
    }
    try connection.run("INSERT OR IGNORE INTO playlist VALUES('Naima', 300, \(clip))")
    try connection.run("INSERT OR REPLACE INTO playlist VALUES('Naima', 301, \(clip))")
    print("replaced: \(playlist.songs.map(\.seconds))")

    // A removed module is not a table either.
    do {
        try connection.execute("CREATE VIRTUAL TABLE temp.other USING playlist")
    } catch let error as SQLiteError {
        print(error.message)
    }
    try connection.removeModule(named: "playlist")
    do {
        try connection.run("DELETE FROM playlist")
    } catch let error as SQLiteError {
        print(error.message)
    }
}

private func queryService(_ connection: Connection) throws {
    print("\n# A service that gets the conditions of a statement")
    let service = BookService()
    // By its own name, and by CREATE VIRTUAL TABLE.
    try connection.register(named: "books", use: .any) { _ in BookTable(service: service) }

    let questions: [SQL] = [
        "SELECT title FROM books WHERE year >= 1960 AND year < 1975 ORDER BY year DESC",
        "SELECT title FROM books WHERE author IS NULL",
        "SELECT title FROM books WHERE author IS NOT NULL AND year > 1960 AND title GLOB 'The *'",
        "SELECT title FROM books WHERE author IN ('Le Guin', 'Lem') AND year <= 1970 ORDER BY year",
        "SELECT title FROM books WHERE author = 'LEM' COLLATE NOCASE",
        "SELECT title FROM books WHERE title = 'solaris'",
        "SELECT year FROM books WHERE year <> 1974 GROUP BY year",
        "SELECT title FROM books WHERE rowid = 3",
        "SELECT title FROM books WHERE digest = x'1AB2'",
    ]
    for question in questions {
        let values: [BindingValue] = try connection.query(question)
        print(question.text)
        for address in service.takeAddresses() { print("    GET \(address)") }
        for value in values {
            switch value {
            case .text(let title): print("    - \(title)")
            case .integer(let year): print("    - of the year \(year)")
            default: break
            }
        }
    }
    print(try connection.explainQueryPlan("SELECT title FROM books WHERE year > 1970 ORDER BY year"))
}

private func keepLines(_ connection: Connection) throws {
    print("\n# A file that SQL creates and drops")
    try connection.register(LineFile.self, named: "lines", use: .created)
    try connection.execute("CREATE VIRTUAL TABLE temp.diary USING lines")
    print("the file exists: \(FileManager.default.fileExists(atPath: "diary.txt"))")

    try Data("Monday: rain\nTuesday: sun\n".utf8).write(to: URL(filePath: "diary.txt"))
    print(try connection.query("SELECT line FROM diary") as [String])

    // The rows end with the error of the line that cannot be read.
    try (Data("Monday: rain\n".utf8) + [0xFF, 0x0A]).write(to: URL(filePath: "diary.txt"))
    do {
        let _: [String] = try connection.query("SELECT line FROM diary")
    } catch let error as LineFile.NotUTF8 {
        print("line \(error.line) is not UTF-8")
    }

    do {
        try connection.execute("CREATE VIRTUAL TABLE main.diary USING lines(file='other.txt')")
    } catch let error as LineFile.Misused {
        print(error.reason)
    }
    try connection.execute("DROP TABLE diary")
    print("the file exists: \(FileManager.default.fileExists(atPath: "diary.txt"))")
}
