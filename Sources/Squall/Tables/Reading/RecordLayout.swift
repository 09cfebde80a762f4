/// The names and codecs of the columns that a ``ColumnReader`` reads.
@usableFromInline
final class RecordLayout: Sendable {
    let tableName: String?
    let names: [String]
    let codecs: [any AnyColumnCodec]

    init(tableName: String?, names: [String], codecs: [any AnyColumnCodec]) {
        self.tableName = tableName
        self.names = names
        self.codecs = codecs
    }
}
