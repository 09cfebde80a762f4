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
    /// The condition on the rows of the source, which a view has, and the index with it; `nil` for all rows.
    package var condition: SQL?
    /// The triggers of the source that are those of ``triggers(ifNotExists:)``, if the table was read from a file. Triggers of a program
    /// may have their names: all that the file has must be the same SQL.
    var ownTriggers: [String] = []
    /// The values of the other options by their names, which are those of ``optionNames``.
    package let options: [String: String]

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

extension String {
    /// Whether the rowid of a table can be read by the name, if no column has it.
    package var isRowIDName: Bool { ["rowid", "_rowid_", "oid"].contains { isSameName(as: $0) } }
}
