import Hummingbird
import Squall

/// The HTTP responses to errors of Squall: a table that an application can change.
///
/// | error | status | |
/// |---|---|---|
/// | ``DatabaseFailure/unique`` and every other constraint | 409 | |
/// | ``DatabaseFailure/noRow`` | 404 | |
/// | ``DatabaseFailure/foreignCursor`` | 400 | |
/// | ``DatabaseFailure/busy``, ``DatabaseFailure/deadline``, ``DatabaseFailure/unavailable`` | 503 | `Retry-After: 1` |
/// | ``DatabaseFailure/storage`` | 503 | |
///
/// Errors that are not in the table pass, and Hummingbird answers them with 500 and no body: wrong SQL, a value that
/// does not convert, a damaged file.
///
///     var responses = DatabaseErrorResponses()
///     responses[.check] = HTTPError(.badRequest, message: "The title is empty.")
///     responses[.storage] = nil                             // 500
public struct DatabaseErrorResponses: Sendable {
    private var table: [DatabaseFailure: HTTPError] = [:]

    /// Makes the table with the standard responses.
    public init() {
        for failure in DatabaseFailure.allCases { table[failure] = failure.standardResponse }
    }

    /// The response to a failure; `nil` to let its errors pass.
    public subscript(failure: DatabaseFailure) -> HTTPError? {
        get { table[failure] }
        set { table[failure] = newValue }
    }

    /// Returns the response to an error; `nil` for an error that is not in the table.
    public func response(to error: any Error) -> HTTPError? {
        DatabaseFailure(error).flatMap { table[$0] }
    }
}

extension DatabaseFailure {
    fileprivate var standardResponse: HTTPError {
        switch self {
        case .unique: HTTPError(.conflict, message: "A record with this value exists.")
        case .foreignKey: HTTPError(.conflict, message: "A related record is missing or still in use.")
        case .check, .notNull, .otherConstraint:
            HTTPError(.conflict, message: "The database does not accept this value.")
        case .noRow: HTTPError(.notFound, message: "There is no such record.")
        case .foreignCursor: HTTPError(.badRequest, message: "The page belongs to another query.")
        case .busy: Self.retryError("The database is busy.")
        case .deadline: Self.retryError("The request took too long.")
        case .unavailable: Self.retryError("The database is not available.")
        case .storage: HTTPError(.serviceUnavailable, message: "The database cannot be read or written.")
        }
    }

    private static func retryError(_ message: String) -> HTTPError {
        HTTPError(.serviceUnavailable, headers: [.retryAfter: "1"], message: message)
    }
}
