import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An array that a statement reads as a table of one column, `value`: `squall_array(?)`.
///
/// SQLite receives a pointer to the elements, which the box keeps until the statement is bound again or finalised. Texts and blobs are one
/// after another in memory of the box, and SQLite reads them there.
///
/// Sendable, because nothing changes the memory after the initialiser.
final class ArrayBox: TableParameter, @unchecked Sendable {
    private let array: UnsafeMutablePointer<squall_array>
    private let elements: UnsafeMutablePointer<squall_element>
    private let bytes: UnsafeMutablePointer<CChar>

    init(_ copy: ArrayElements) {
        elements = .allocate(capacity: copy.elements.count)
        elements.initialize(from: copy.elements, count: copy.elements.count)
        // At least one byte: SQLite treats text and blobs without an address as NULL.
        bytes = .allocate(capacity: copy.bytes.count + 1)
        UnsafeMutableRawPointer(bytes).copyMemory(from: copy.bytes, byteCount: copy.bytes.count)
        array = .allocate(capacity: 1)
        array.initialize(
            to: squall_array(elements: elements, bytes: bytes, count: Int64(copy.elements.count), owner: nil))
        array.pointee.owner = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        array.deallocate()
        elements.deallocate()
        bytes.deallocate()
    }

    func bind(to statement: OpaquePointer, _ index: Int32) -> Int32 {
        // Released when SQLite gives the pointer back, also if it rejects it.
        _ = Unmanaged.passRetained(self)
        return squall_bind_array(statement, index, array) { array in
            let owner = array?.assumingMemoryBound(to: squall_array.self).pointee.owner
            if let owner { Unmanaged<ArrayBox>.fromOpaque(owner).release() }
        }
    }

    func addModule(to handle: OpaquePointer) -> Int32 {
        sqlite3_create_module_v2(handle, "squall_array", ArrayModule.functions, nil, nil)
    }
}

/// Copies of the elements of an array.
@usableFromInline
struct ArrayElements {
    fileprivate var elements: [squall_element] = []
    fileprivate var bytes: [UInt8] = []

    init(reserving count: Int) {
        elements.reserveCapacity(count)
    }

    @usableFromInline
    mutating func append(_ value: BindingValue) throws {
        var copy = squall_element()
        switch value {
        case .null: copy.type = SQLITE_NULL
        case .integer(let number):
            copy.type = SQLITE_INTEGER
            copy.bits = number
        case .real(let number):
            if number.isNaN { throw SQLiteError(.unstorable(type: "Double", reason: .notANumber), code: .mismatch) }
            copy.type = SQLITE_FLOAT
            copy.bits = Int64(bitPattern: number.bitPattern)
        case .text(let text):
            copy.type = SQLITE_TEXT
            try append(text.utf8, for: &copy)
        case .blob(let data):
            copy.type = SQLITE_BLOB
            try append(data, for: &copy)
        case .malformedText(let bytes):
            copy.type = SQLITE_TEXT
            try append(bytes, for: &copy)
        }
        elements.append(copy)
    }

    private mutating func append(_ new: some Collection<UInt8>, for element: inout squall_element) throws {
        guard let count = UInt32(exactly: new.count), count < Int32.max else {
            throw SQLiteError(code: SQLITE_TOOBIG, message: "an element of the array is too large")
        }
        element.bits = Int64(bytes.count)
        element.count = count
        bytes.append(contentsOf: new)
    }
}

/// The module `squall_array`, of which SQLite makes one table for each connection.
private enum ArrayModule {
    // SQLite only reads it.
    nonisolated(unsafe) static let functions: UnsafePointer<sqlite3_module> = {
        var module = sqlite3_module()
        module.xConnect = { handle, _, _, _, table, _ in
            let code = sqlite3_declare_vtab(handle, "CREATE TABLE x(value, array HIDDEN)")
            if code != SQLITE_OK { return code }
            squall_vtab_config(handle, SQLITE_VTAB_DIRECTONLY)
            let made = UnsafeMutablePointer<sqlite3_vtab>.allocate(capacity: 1)
            made.initialize(to: sqlite3_vtab())
            table?.pointee = made
            return SQLITE_OK
        }
        module.xDisconnect = { table in
            sqlite3_free(table?.pointee.zErrMsg)
            table?.deallocate()
            return SQLITE_OK
        }
        module.xDestroy = module.xDisconnect
        module.xBestIndex = { _, info in info.map { plan(&$0.pointee) } ?? SQLITE_INTERNAL }
        module.xOpen = { _, cursor in
            let made = UnsafeMutablePointer<squall_array_cursor>.allocate(capacity: 1)
            made.initialize(to: squall_array_cursor())
            cursor?.pointee = UnsafeMutableRawPointer(made).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
            return SQLITE_OK
        }
        module.xClose = { cursor in
            cursor?.deallocate()
            return SQLITE_OK
        }
        module.xFilter = { cursor, plan, _, count, values in
            guard let cursor = arrayCursor(cursor) else { return SQLITE_INTERNAL }
            cursor.pointee.index = 0
            cursor.pointee.array = nil
            if count > 0, let value = values?[0] { cursor.pointee.array = UnsafePointer(squall_value_array(value)) }
            return SQLITE_OK
        }
        module.xNext = { cursor in
            arrayCursor(cursor)?.pointee.index &+= 1
            return SQLITE_OK
        }
        module.xEof = { cursor in
            guard let cursor = arrayCursor(cursor), let array = cursor.pointee.array else { return 1 }
            return cursor.pointee.index >= array.pointee.count ? 1 : 0
        }
        module.xColumn = { cursor, context, column in
            guard column == 0, let context, let cursor = arrayCursor(cursor), let array = cursor.pointee.array else {
                return SQLITE_OK
            }
            let element = array.pointee.elements + Int(cursor.pointee.index)
            switch element.pointee.type {
            case SQLITE_INTEGER: sqlite3_result_int64(context, element.pointee.bits)
            case SQLITE_FLOAT:
                sqlite3_result_double(context, Double(bitPattern: UInt64(bitPattern: element.pointee.bits)))
            case SQLITE_NULL: break
            default:
                squall_result_static(
                    context, array.pointee.bytes + Int(element.pointee.bits), element.pointee.count,
                    element.pointee.type == SQLITE_TEXT ? 1 : 0)
            }
            return SQLITE_OK
        }
        module.xRowid = { cursor, rowID in
            if let cursor = arrayCursor(cursor) { rowID?.pointee = cursor.pointee.index + 1 }
            return SQLITE_OK
        }
        let functions = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
        functions.initialize(to: module)
        return UnsafePointer(functions)
    }()
}

@inline(__always)
private func arrayCursor(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> UnsafeMutablePointer<
    squall_array_cursor
>? {
    cursor.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: squall_array_cursor.self) }
}

/// Plans a statement, which must give the array.
private func plan(_ info: inout sqlite3_index_info) -> Int32 {
    var isUnusable = false
    for index in 0..<Int(info.nConstraint) {
        let constraint = info.aConstraint[index]
        guard constraint.iColumn == 1, Int32(constraint.op) == SQLITE_INDEX_CONSTRAINT_EQ else { continue }
        if constraint.usable == 0 {
            isUnusable = true
        } else {
            info.aConstraintUsage[index].argvIndex = 1
            info.aConstraintUsage[index].omit = 1
            info.estimatedCost = 1
            info.estimatedRows = 100
            // The order of the elements is that of the rowids.
            if info.nOrderBy == 1, let order = info.aOrderBy, order[0].iColumn < 0, order[0].desc == 0 {
                info.orderByConsumed = 1
            }
            return SQLITE_OK
        }
    }
    // Without an array the table is empty. It must not be planned so where another order of the tables gives the array.
    if isUnusable { return SQLITE_CONSTRAINT }
    info.estimatedCost = 1
    info.estimatedRows = 1
    return SQLITE_OK
}
