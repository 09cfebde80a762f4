import Squall
import SquallSQLite

/// The box that FTS5 keeps for a tokenizer, until the connection is closed.
final class TokenizerBox: SearchObject {
    typealias Make = ([String]) throws -> (UnsafeMutablePointer<Emission>, TokenizationReason) throws -> Void

    private let make: Make

    init(_ callbacks: UnsafeMutablePointer<Callbacks>, _ make: @escaping Make) {
        self.make = make
        super.init(callbacks: callbacks)
    }

    /// Makes the tokenizer of a table.
    fileprivate func tokenizer(_ arguments: [String]) throws -> TableTokenizer {
        TableTokenizer(callbacks, try make(arguments))
    }
}

/// The tokenizer of one table.
private final class TableTokenizer: SearchObject {
    private let tokenize: (UnsafeMutablePointer<Emission>, TokenizationReason) throws -> Void

    init(
        _ callbacks: UnsafeMutablePointer<Callbacks>,
        _ tokenize: @escaping (UnsafeMutablePointer<Emission>, TokenizationReason) throws -> Void
    ) {
        self.tokenize = tokenize
        super.init(callbacks: callbacks)
    }

    @inline(__always)
    func run(_ emission: inout Emission, _ reason: TokenizationReason) -> Int32 {
        callbacks.runTokenizer {
            do {
                try withUnsafeMutablePointer(to: &emission) { try tokenize($0, reason) }
            } catch is Emission.Ended {}
            return emission.endCode
        }
    }
}

extension UnsafeMutablePointer<Callbacks> {
    /// Runs a closure, during which the connection cannot be used: it is in the middle of a change of the index.
    ///
    /// - Returns: The code for FTS5, which is that of an error if the closure has thrown.
    @inline(__always)
    fileprivate func runTokenizer(_ body: () throws -> Int32) -> Int32 {
        withoutConnection(during: "tokenizer") {
            do { return try body() } catch { return keep(error) }
        }
    }
}

extension Connection {
    func installTokenizer(_ name: String, _ make: @escaping TokenizerBox.Make) throws {
        var functions = fts5_tokenizer(xCreate: createTokenizer, xDelete: deleteTokenizer, xTokenize: runTokenizer)
        try extendSearch(name, with: TokenizerBox(callbacks, make)) { api, box in
            api.pointee.xCreateTokenizer?(api, name, box, &functions, SearchObject.release) ?? SQLITE_MISUSE
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
        box.callbacks.runTokenizer {
            tokenizer?.pointee = OpaquePointer(try box.tokenizer(arguments).retained())
            return SQLITE_OK
        }
    }
}

private func deleteTokenizer(_ tokenizer: OpaquePointer?) {
    SearchObject.release(tokenizer.map { UnsafeMutableRawPointer($0) })
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
