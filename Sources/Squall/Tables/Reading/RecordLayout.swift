/// The names and codecs of the columns that a ``ColumnReader`` reads.
@usableFromInline
final class RecordLayout: Sendable {
    /// More than the number of columns that a table can have.
    static let noColumn: Int32 = 1 << 24

    let tableName: String?
    let names: [String]
    let codecs: [any AnyColumnCodec]
    /// For each column, and for the end, the first column from there on that stores its values in a form; `noColumn` where there is none.
    let formsFrom: [Int32]
    /// The first column with a form, or `noColumn`.
    @usableFromInline let firstForm: Int32

    init(tableName: String?, names: [String], codecs: [any AnyColumnCodec]) {
        self.tableName = tableName
        self.names = names
        self.codecs = codecs
        var formsFrom = [Self.noColumn]
        for (column, codec) in codecs.enumerated().reversed() {
            formsFrom.append(codec.isPlain ? formsFrom.last ?? Self.noColumn : Int32(column))
        }
        self.formsFrom = formsFrom.reversed()
        firstForm = self.formsFrom[0]
    }
}
