import SquallSQLite

/// The header of a file, or of the index of its write-ahead log.
struct FileHeader {
    let isWAL: Bool
    /// The number of commits, as the header counts them.
    let changeNumber: UInt32
}

extension Connection {
    /// The header of the file; `nil` if it cannot be read.
    var header: FileHeader? { handle.flatMap { header(on: $0) } }

    /// The header of the file, also inside a hook.
    func header(on handle: OpaquePointer) -> FileHeader? {
        var pointer: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &pointer) == SQLITE_OK, let pointer,
            let methods = pointer.pointee.pMethods
        else { return nil }
        // The version of the file format at byte 18, and the change counter at byte 24.
        var bytes: (UInt64, UInt16) = (0, 0)
        let code = withUnsafeMutableBytes(of: &bytes) { methods.pointee.xRead?(pointer, $0.baseAddress, 10, 18) }
        guard code == SQLITE_OK else { return nil }
        let (version, counter) = withUnsafeBytes(of: bytes) {
            ($0[0], $0[6..<10].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        }
        guard version == 2 else { return FileHeader(isWAL: false, changeNumber: counter) }
        var memory: UnsafeMutableRawPointer?
        guard squall_map_index(pointer, &memory) == SQLITE_OK, let memory else { return nil }
        // The counter of the index, which is aligned, and written at once.
        return FileHeader(isWAL: true, changeNumber: memory.load(fromByteOffset: 8, as: UInt32.self))
    }
}
