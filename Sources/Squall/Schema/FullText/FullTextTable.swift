/// An FTS5 table as its SQL describes it, with the table whose rows it searches.
///
/// SquallSearch declares such tables. They are read here, because a change of a table keeps its index in step also in a program that does
/// not import SquallSearch.
package struct FullTextTable: Equatable, Sendable {
    package struct Column: Equatable, Sendable {
        package var name: String
        package let isIndexed: Bool

        package init(_ name: String, isIndexed: Bool) {
            (self.name, self.isIndexed) = (name, isIndexed)
        }
    }

    /// The place of the text: the source, the table itself, or nowhere.
    package enum Content: String, Sendable {
        case external, own, none
    }

    package let name: String
    package var columns: [Column]
    /// The table whose rows are searched; `nil` for none.
    package var source: String?
    /// The column of the source that is its rowid.
    package var rowID: String
    package let content: Content
    /// The condition on the rows of the source, which a view has, and the index with it; `nil` for all rows. It remains without a source:
    /// so does the view.
    package var condition: SQL?
    /// The triggers of the source that are those of ``triggers(ifNotExists:)``, if the table was read from a file. Their SQL is the same:
    /// triggers of a program may have their names.
    package internal(set) var ownTriggers: [String] = []
    /// Whether triggers among ``ownTriggers`` are those of an earlier version of Squall.
    package internal(set) var hasFormerTriggers = false
    /// The triggers of the program that write the table, if it was read from a file.
    var programTriggers: [ProgramTrigger] = []
    /// The values of the other options by their names, which are those of ``optionNames``.
    package let options: [String: String]
    /// The options that Squall does not know, as they are written: `contentless_delete = 1`.
    var otherOptions: [String] = []

    /// A trigger of a program that writes a search table.
    struct ProgramTrigger: Equatable, Sendable {
        /// The table or view whose changes it follows.
        let table: Identifier
        let sql: String
        /// Whether it does for each row of the source what Squall's triggers do. An index that other triggers write may have a part of the
        /// rows, or other text.
        let copiesRows: Bool
    }

    /// Whether the index has all rows of the source, as far as the triggers tell. Only such an index can be made again.
    var canBeRebuilt: Bool { source != nil && programTriggers.allSatisfy(\.copiesRows) }

    package init(
        _ name: String, columns: [Column], source: String?, rowID: String?, content: Content, options: [String: String],
        condition: SQL? = nil
    ) {
        (self.name, self.columns, self.content, self.options) = (name, columns, content, options)
        (self.source, self.rowID, self.condition) = (source, rowID ?? "rowid", condition)
    }

    /// The names of the options, in the order in which they are written.
    static let optionNames = ["tokenize", "prefix", "detail", "columnsize"]
}
