import Squall
import SquallSQLite

extension Connection {
    /// Returns the interface of FTS5.
    ///
    /// - Throws: ``SQLiteError/Kind/libraryLacks(_:)`` if SQLite was built without FTS5.
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
