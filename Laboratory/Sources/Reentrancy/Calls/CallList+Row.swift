import Squall

extension CallList {
    mutating func addRowCalls() {
        begin("Row")
        for isLive in [true, false] {
            addRowCalls(isLive: isLive)
            addBytes(isLive: isLive)
        }
        begin("RowCursor")
        object("next()", holding: .statement) {
            CursorBox(try $0.rows("SELECT * FROM items"))
        } _: {
            _ = try $0.cursor.next()
        }
        object("next()", holding: .rows) { connection in
            let box = CursorBox(try connection.rows("SELECT * FROM items"))
            _ = try box.cursor.next()
            return box
        } _: { box in
            while try box.cursor.next() != nil {}
        }
        addBlobs()
    }

    /// The calls of a row of a statement that is at it, and of a row that has been read.
    private mutating func row(_ name: String, isLive: Bool, _ body: @escaping @Sendable (Row) throws -> Void) {
        object(name, holding: isLive ? .rows : .nothing) { connection in
            let statement = try connection.prepare("SELECT id, name, zeroblob(3) AS data FROM items WHERE id = 1")
            try statement.step()
            guard let live = statement.row else { throw SceneError("there is no row") }
            if isLive { return (live, statement as Statement?) }
            guard let row = try connection.query("SELECT id, name, zeroblob(3) AS data FROM items WHERE id = 1") else {
                throw SceneError("there is no row")
            }
            return (row, nil)
        } _: { row, statement in
            try withExtendedLifetime(statement) { try body(row) }
        }
    }

    private mutating func addRowCalls(isLive: Bool) {
        row("columnCount", isLive: isLive) { _ = $0.columnCount }
        row("columns", isLive: isLive) { _ = $0.columns }
        row("decode(_:userInfo:)", isLive: isLive) { _ = try $0.decode(PlainRecord.self) }
        row("description", isLive: isLive) { _ = $0.description }
        row("get(_:as:)", isLive: isLive) { let _: Int = try $0.get(0) }
        row("get(_:as:)", isLive: isLive) { let _: String? = try $0.get("name") }
        row("makeIterator()", isLive: isLive) { for value in $0 { _ = value } }
        row("subscript(_:)", isLive: isLive) { let _: Int? = $0[0] }
        row("subscript(_:)", isLive: isLive) { let _: String? = $0["name"] }
        row("value(at:)", isLive: isLive) { _ = $0.value(at: 1) }
        row("values", isLive: isLive) { _ = $0.values }
    }

    private mutating func addBytes(isLive: Bool) {
        row("withBytes(_:_:)", isLive: isLive) { _ = try $0.withBytes(2) { $0.byteCount } }
        row("withBytes(_:_:)", isLive: isLive) { _ = try $0.withBytes("data") { $0.byteCount } }
        row("withBytesIfPresent(_:_:)", isLive: isLive) { _ = try $0.withBytesIfPresent(2) { $0.byteCount } }
        row("withUTF8(_:_:)", isLive: isLive) { _ = try $0.withUTF8(1) { (bytes: Span<UInt8>) in bytes.count } }
        row("withUTF8IfPresent(_:_:)", isLive: isLive) { _ = try $0.withUTF8IfPresent("name") { $0.count } }
    }

    private mutating func addBlobs() {
        begin("Blob")
        blob("count") { _ = $0.count }
        blob("row") { _ = $0.row }
        blob("data()") { _ = try $0.data() }
        blob("data(in:)") { _ = try $0.data(in: 3..<9) }
        blob("move(to:)") { try $0.move(to: 2) }
        blob("read(into:at:)") {
            var bytes = [UInt8](repeating: 0, count: 9)
            try $0.read(into: &bytes, at: 3)
        }
        blob("write(_:at:)", .readWrite) { try $0.write([1, 2, 3] as [UInt8], at: 3) }
    }

    private mutating func blob(
        _ name: String, _ mode: Blob.Mode = .readOnly, _ body: @escaping @Sendable (borrowing Blob) throws -> Void
    ) {
        let grounds: [Ground] = mode == .readOnly ? [.own, .writer, .reader] : [.own, .writer]
        add(name, .closure, holding: mode == .readOnly ? .blob : .writableBlob, grounds: grounds) {
            scene, inSituation in
            let connection = try scene.requireConnection()
            try connection.withBlob(in: "files", column: "content", row: 3, mode: mode) { blob in
                // A pointer: Swift 6.3.1 crashes on an escaping closure that captures a parameter that cannot be copied. The
                // situation ends inside this closure, as the calls of the scope `closure` do.
                try withUnsafePointer(to: blob) { pointer in try inSituation { try body(pointer.pointee) } }
            }
        }
    }
}

/// A cursor, which cannot be copied, for a closure.
final class CursorBox {
    var cursor: RowCursor<Row>

    init(_ cursor: consuming RowCursor<Row>) {
        self.cursor = cursor
    }
}
