/// The names and codecs of the columns that a ``ColumnReader`` reads.
@usableFromInline
final class RecordLayout: Sendable {
    let tableName: String?
    let names: [String]
    let codecs: [any AnyColumnCodec]
    /// Whether each column stores its values as their type does, and not in a form.
    let isPlain: [Bool]
    /// Whether all columns do.
    @usableFromInline let isAllPlain: Bool

    init(tableName: String?, names: [String], codecs: [any AnyColumnCodec]) {
        self.tableName = tableName
        self.names = names
        self.codecs = codecs
        isPlain = codecs.map(\.isPlain)
        isAllPlain = isPlain.allSatisfy(\.self)
    }
}
