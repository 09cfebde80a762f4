import SquallSQLite

/// The box that FTS5 keeps for a tokenizer, until the connection is closed.
final class TokenizerBox {
    typealias Make = ([String]) throws -> (UnsafeMutablePointer<Emission>, TokenizationReason) throws -> Void

    // Unmanaged: the connection closes its handle, with which SQLite releases the box, before it is released.
    fileprivate let connection: Unmanaged<Connection>
    private let make: Make

    init(_ connection: Connection, _ make: @escaping Make) {
        self.connection = .passUnretained(connection)
        self.make = make
    }

    /// Makes the tokenizer of a table.
    fileprivate func tokenizer(_ arguments: [String]) throws -> TableTokenizer {
        TableTokenizer(connection, try make(arguments))
    }

    /// Runs a closure, during which the connection cannot be used: it is in the middle of a change of the index.
    ///
    /// - Returns: The code for FTS5, which is that of an error if the closure has thrown.
    @inline(__always)
    fileprivate static func run(_ connection: Unmanaged<Connection>, _ body: () throws -> Int32) -> Int32 {
        connection._withUnsafeGuaranteedRef { connection in
            connection.withoutHandle(during: "tokenizer") {
                do { return try body() } catch { return connection.callbacks.keep(error) }
            }
        }
    }
}

/// The tokenizer of one table.
private final class TableTokenizer {
    let connection: Unmanaged<Connection>
    private var tokenize: ((UnsafeMutablePointer<Emission>, TokenizationReason) throws -> Void)?

    init(
        _ connection: Unmanaged<Connection>,
        _ tokenize: @escaping (UnsafeMutablePointer<Emission>, TokenizationReason) throws -> Void
    ) {
        self.connection = connection
        self.tokenize = tokenize
    }

    @inline(__always)
    func run(_ emission: inout Emission, _ reason: TokenizationReason) -> Int32 {
        TokenizerBox.run(connection) {
            do {
                try withUnsafeMutablePointer(to: &emission) { try tokenize?($0, reason) }
            } catch is Emission.Ended {}
            return emission.endCode
        }
    }

    /// Releases the closure, whose objects may have a `deinit` of the user.
    func end() {
        _ = TokenizerBox.run(connection) {
            tokenize = nil
            return SQLITE_OK
        }
    }
}

extension Connection {
    func installTokenizer(_ name: String, _ make: @escaping TokenizerBox.Make) throws {
        var functions = fts5_tokenizer(xCreate: createTokenizer, xDelete: deleteTokenizer, xTokenize: runTokenizer)
        try extendSearch(name, with: TokenizerBox(self, make)) { api, box in
            api.pointee.xCreateTokenizer?(api, name, box, &functions, releaseBox) ?? SQLITE_MISUSE
        }
    }
}

// The C functions that FTS5 calls.

private func createTokenizer(
    _ box: UnsafeMutableRawPointer?, _ values: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ count: Int32,
    _ tokenizer: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    guard let box else { return SQLITE_MISUSE }
    let arguments = (0..<Int(count)).map { index in values?[index].map { String(cString: $0) } ?? "" }
    return Unmanaged<TokenizerBox>.fromOpaque(box)._withUnsafeGuaranteedRef { box in
        TokenizerBox.run(box.connection) {
            let made = try box.tokenizer(arguments)
            tokenizer?.pointee = OpaquePointer(Unmanaged.passRetained(made).toOpaque())
            return SQLITE_OK
        }
    }
}

private func deleteTokenizer(_ tokenizer: OpaquePointer?) {
    guard let tokenizer else { return }
    let box = Unmanaged<TableTokenizer>.fromOpaque(UnsafeRawPointer(tokenizer))
    box._withUnsafeGuaranteedRef { $0.end() }
    box.release()
}

private func runTokenizer(
    _ tokenizer: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ flags: Int32, _ text: UnsafePointer<CChar>?,
    _ count: Int32, _ receiver: Emission.Receiver?
) -> Int32 {
    guard let tokenizer, let receiver else { return SQLITE_MISUSE }
    let bytes = UnsafeRawBufferPointer(start: text, count: text == nil ? 0 : Int(count))
    var emission = Emission(context, receiver, bytes.assumingMemoryBound(to: UInt8.self))
    return Unmanaged<TableTokenizer>.fromOpaque(UnsafeRawPointer(tokenizer))._withUnsafeGuaranteedRef {
        $0.run(&emission, TokenizationReason(flags: flags))
    }
}

private func releaseBox(_ box: UnsafeMutableRawPointer?) {
    if let box { Unmanaged<TokenizerBox>.fromOpaque(box).release() }
}
