import Squall
import SquallSQLite

/// The box that FTS5 keeps for a search function, until the connection is closed.
final class SearchFunctionBox: SearchObject {
    typealias MatchFunction = (borrowing SearchMatch, FunctionCall) throws -> Void

    private let base: FunctionBox
    private let body: MatchFunction

    init(name: String, callbacks: UnsafeMutablePointer<Callbacks>, body: @escaping MatchFunction) {
        base = FunctionBox(
            name: name, callbacks: callbacks, call: { _ in }, final: nil, value: nil, inverse: nil)
        self.body = body
        super.init(callbacks: callbacks)
    }

    @inline(__always)
    fileprivate func run(_ api: UnsafePointer<Fts5ExtensionApi>, _ context: OpaquePointer, _ call: FunctionCall) {
        var failureCode = SQLITE_OK
        withUnsafeMutablePointer(to: &failureCode) { failureCode in
            base.run(
                { call in
                    let match = SearchMatch(
                        api: api, context: context, failureCode: failureCode, callbacks: callbacks)
                    do {
                        try body(match, call)
                        try match.check(failureCode.pointee)
                    } catch {
                        // An error of an argument gets the name of the function in its message.
                        if !(error is ArgumentError) { callbacks.pointee.thrownError = ThrownError(error) }
                        throw error
                    }
                }, call)
        }
    }
}

extension Connection {
    func installSearchFunction(_ name: String, _ body: @escaping SearchFunctionBox.MatchFunction) throws {
        let made = SearchFunctionBox(name: name, callbacks: callbacks, body: body)
        try extendSearch(name, with: made) { api, box in
            api.pointee.xCreateFunction?(api, name, box, call, SearchObject.release) ?? SQLITE_MISUSE
        }
    }
}

// The C functions that FTS5 calls. They do not retain the box: FTS5 releases it when the connection is closed.

private func call(
    _ api: UnsafePointer<Fts5ExtensionApi>?, _ match: OpaquePointer?, _ context: OpaquePointer?, _ count: Int32,
    _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
    guard let api, let match, let context, let box = api.pointee.xUserData(match) else { return }
    Unmanaged<SearchFunctionBox>.fromOpaque(box)._withUnsafeGuaranteedRef {
        $0.run(api, match, FunctionCall(context: context, count: Int(count), values: values))
    }
}
