import Squall
import SquallChanges
import SquallSearch
import SquallTestSupport
import Testing

/// Changes that are applied without the triggers of the program beside a search table with a condition.
@Suite(.enabled(if: SQLiteFeatures.fullTextSearch))
struct SearchConditionTests {
    private struct Note: Searchable {
        var id: Int64
        var title: String
        var isDeleted = false

        static let table = Table("notes", Note.init) {
            Column("id", \Note.id, .primaryKey)
            Column("title", \Note.title)
            Column("is_deleted", \Note.isDeleted)
        }
        static let searchTable = SearchTable(
            "notes_search", of: table, columns: \.title, where: { $0.isDeleted.isFalse })
    }

    @Test func theIndexFollowsWithoutTheTriggersOfTheProgram() throws {
        let source = try Connection(":memory:")
        let twin = try Connection(":memory:")
        for connection in [source, twin] {
            try connection.create(Note.table)
            try connection.create(Note.searchTable)
            try connection.insert(contentsOf: [
                Note(id: 1, title: "swift one"), Note(id: 2, title: "swift two", isDeleted: true),
                Note(id: 3, title: "swift three"),
            ])
        }
        let changes = try source.recordChanges(in: "notes") { connection in
            try connection.update(Note(id: 1, title: "swift one", isDeleted: true))
            try connection.update(Note(id: 2, title: "swift two"))
            try connection.delete(Note(id: 3, title: "swift three"))
            try connection.insert(Note(id: 4, title: "swift four", isDeleted: true))
        }
        for options in [.withoutTriggers, []] as [Changeset.ApplyOptions] {
            try twin.savepoint {
                try twin.apply(changes, options: options)
                #expect(try twin.all(Note.search("swift")).map(\.id) == [2])
                try twin.integrityCheck(Note.searchTable)
                try twin.apply(changes.inverted(), options: options)
                #expect(try twin.all(Note.search("swift").order { $0.id }).map(\.id) == [1, 3])
                try twin.integrityCheck(Note.searchTable)
            }
        }
    }
}
