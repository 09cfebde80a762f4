import Foundation
import Squall

/// The values of `items` that can be opened in parts, and the reasons why others cannot, which follow from the form of the table.
struct BlobRules {
    private let world: World
    /// The columns that are a part of an index.
    private let indexed: Set<String>

    init(_ world: World) throws {
        self.world = world
        let names: [String] = try world.database.blocking.read { connection in
            try connection.query(
                """
                SELECT ifnull(c.name, '') FROM pragma_index_list('items', 'main') AS i, pragma_index_xinfo(i.name, 'main') AS x
                LEFT JOIN pragma_table_xinfo('items', 'main') AS c ON c.cid = x.cid
                WHERE x.key
                """)
        }
        // SQLite does not know of an expression which columns it reads.
        indexed = names.contains("") ? Set(TableShape.columns) : Set(names)
    }

    /// Opens each value of a row in both modes.
    func check(_ row: ItemRow) throws {
        let id = try world.rowID(of: row)
        var readable: String?
        try world.database.blocking.write { connection in
            for column in TableShape.columns {
                for mode in [Blob.Mode.readOnly, .readWrite] {
                    let expected = problem(column, row, mode)
                    if expected == nil, mode == .readWrite { readable = column }
                    try check(column, row, id, mode, expected, connection)
                }
            }
        }
        if let readable { try checkReader(readable, id) }
        try world.check()
    }

    private func check(
        _ column: String, _ row: ItemRow, _ id: Int64, _ mode: Blob.Mode, _ expected: BlobProblem?,
        _ connection: Connection
    ) throws {
        let found: Result<Data, any Error> = Result {
            try connection.withBlob(in: "items", column: column, row: id, mode: mode) { try $0.data() }
        }
        switch found {
        case .success(let bytes):
            try require(expected == nil, "\(column) was opened, \(mode), and not refused with \(expected, default: "")")
            guard let text = text(column, row) else { return }
            try require(bytes == Data(text), "\(column) in parts has \(bytes.count) other bytes")
        case .failure(let error):
            let problem = (error as? SQLiteError)?.problem(BlobProblem.self)
            // Some versions of SQLite report another reason first.
            let fits = hasGeneratedColumns ? problem != nil : problem == expected && expected != nil
            try require(fits, "\(column) of \(row.id), \(mode): \(error), and not \(expected, default: "opened")")
        }
    }

    /// A read cannot write.
    private func checkReader(_ column: String, _ id: Int64) throws {
        do {
            try world.database.blocking.read {
                try $0.withBlob(in: "items", column: column, row: id, mode: .readWrite) { _ in }
            }
            throw Violation(description: "\(column) was opened for writing in a read")
        } catch ResultCode.readOnly {}
    }

    /// Reads the values of a column of all rows by one handle, which moves.
    func checkMoves(_ column: String, _ bytes: (ItemRow) -> [UInt8]?) throws {
        let rows = try world.model.rows.compactMap { row in
            try bytes(row).map { (id: try world.rowID(of: row), bytes: $0) }
        }
        guard let first = rows.first else { return }
        try world.database.blocking.read { connection in
            try connection.withBlob(in: "items", column: column, row: first.id) { blob in
                for row in rows {
                    try blob.move(to: row.id)
                    var found = [UInt8](repeating: 1, count: row.bytes.count)
                    try blob.read(into: &found, at: 0)
                    try require(
                        found == row.bytes && blob.count == row.bytes.count,
                        "a value in parts has \(blob.count) other bytes")
                }
            }
        }
    }

    private var hasGeneratedColumns: Bool { world.shape.addedColumns.contains { $0.contains("GENERATED") } }

    /// Returns the reason why a value cannot be opened; `nil` if it can.
    private func problem(_ column: String, _ row: ItemRow, _ mode: Blob.Mode) -> BlobProblem? {
        let (shape, writes) = (world.shape, mode == .readWrite)
        if shape.isWithoutRowID { return .withoutRowID }
        if hasGeneratedColumns { return .generatedColumns }
        if writes, indexed.contains(column) { return .indexedColumn }
        if writes, column == "owner", shape.reference != nil { return .foreignKeyColumn }
        switch column {
        case "id":
            if shape.hasRowIDKey { return .null }
            if case .integer = shape.key.bindingValue(row.id) { return .number }
        case "part", "stars": return .number
        case "price": return row.price == nil ? .null : .number
        case "owner": return row.owner == nil ? .null : .number
        case "code": return row.code == nil ? .null : .number
        case "note" where row.note == nil, "data" where row.data == nil, "seen" where row.seen == nil: return .null
        case "seen" where shape.dates != .standard: return .number
        default: break
        }
        let isFollowed = world.parts.contains { part in
            (part as? SearchFeature)?.follows(column) == true || (part as? SpatialFeature)?.follows(column) == true
        }
        return writes && isFollowed ? .derivedIndex : nil
    }

    /// The bytes of a value; `nil` where the form of the column has others.
    private func text(_ column: String, _ row: ItemRow) -> [UInt8]? {
        switch column {
        case "name": Array(row.name.utf8)
        case "note": row.note.map { Array($0.utf8) }
        case "data": world.shape.hasJSON ? nil : row.data.map { [UInt8]($0) }
        case "id": Array("\(world.shape.key.value(row.id))".utf8)
        default: nil
        }
    }
}
