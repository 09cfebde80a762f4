import Squall
import SquallSQLite

extension Connection {
    /// Returns the interface of FTS5.
    ///
    /// - Throws: `libraryLacks` if SQLite was built without FTS5.
    func searchLibrary(_ handle: OpaquePointer) throws -> UnsafeMutablePointer<fts5_api> {
        var api: UnsafeMutablePointer<fts5_api>?
        // Not stopped by an authorizer, and not traced.
        let code = internally(isHidden: true) { squall_search_api(handle, &api) }
        if let api { return api }
        guard code == SQLITE_OK || code == SQLITE_ERROR else { throw error(code, sql: nil) }
        throw SQLiteError.libraryLacks(.fullTextSearch)
    }

    /// Adds a tokenizer or a function to FTS5, which keeps it until the connection is closed. Earlier ones of the same name are kept
    /// too, for the tables that use them.
    func extendSearch(
        _ name: String, _ body: (UnsafeMutablePointer<fts5_api>) -> Int32
    ) throws {
        guard let handle else { throw closedError() }
        let api = try searchLibrary(handle)
        try change(name, .functionName) { _ in body(api) }
    }

    /// Adds a tokenizer or a function with an object that FTS5 keeps.
    ///
    /// - Parameter body: Passes the retained object to FTS5, which releases it. Returns a result code.
    func extendSearch(
        _ name: String, with object: SearchObject,
        _ body: (UnsafeMutablePointer<fts5_api>, UnsafeMutableRawPointer) -> Int32
    ) throws {
        try extendSearch(name) { api in
            let kept = object.retained()
            let code = body(api, kept)
            // FTS5 does not release an object that it rejects.
            if code != SQLITE_OK { SearchObject.release(kept) }
            return code
        }
    }
}

/// An object that SQLite keeps for a connection, such as the box of a tokenizer, and releases when it needs it no longer.
///
/// It is what `KeptObject` is in Squall, which can have no subclass in another module. Its `deinit` cannot use the connection.
@usableFromInline
class SearchObject {
    final let callbacks: UnsafeMutablePointer<Callbacks>

    init(callbacks: UnsafeMutablePointer<Callbacks>) {
        self.callbacks = callbacks
    }

    /// Returns a pointer for SQLite, which owns the object until it calls ``release``.
    final func retained() -> UnsafeMutableRawPointer { Unmanaged<SearchObject>.passRetained(self).toOpaque() }

    /// The function with which SQLite releases an object.
    static let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = { pointer in
        guard let pointer else { return }
        let object = Unmanaged<SearchObject>.fromOpaque(pointer)
        let callbacks = object._withUnsafeGuaranteedRef { $0.callbacks }
        callbacks.withoutConnection(during: "deinit that SQLite calls") { object.release() }
    }
}
