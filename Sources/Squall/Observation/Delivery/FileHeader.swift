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
        // The version of the file format at byte 18, and the change counter at byte 24.
        var bytes: (UInt64, UInt16) = (0, 0)
        guard let file = file(of: handle), let methods = file.pointee.pMethods,
            withUnsafeMutableBytes(of: &bytes, { methods.pointee.xRead?(file, $0.baseAddress, 10, 18) }) == SQLITE_OK
        else { return nil }
        let (version, counter) = withUnsafeBytes(of: bytes) {
            ($0[0], $0[6..<10].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        }
        guard version == 2 else { return FileHeader(isWAL: false, changeNumber: counter) }
        return logChangeNumber(on: handle).map { FileHeader(isWAL: true, changeNumber: $0) }
    }

    /// The number in the header of the index of the write-ahead log; `nil` if the log is not open.
    func logChangeNumber(on handle: OpaquePointer) -> UInt32? {
        // It is aligned, and written at once.
        logIndex(on: handle)?.load(fromByteOffset: 8, as: UInt32.self)
    }
}
