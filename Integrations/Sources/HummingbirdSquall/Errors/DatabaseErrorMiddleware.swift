import Hummingbird
import Logging
import Squall

/// Answers errors of Squall with the status that a table has for them. All other errors pass unchanged.
///
///     router.add(middleware: DatabaseErrorMiddleware())
///
///     var responses = DatabaseErrorResponses()
///     responses[.unique] = HTTPError(.conflict, message: "The name is taken.")
///     router.add(middleware: DatabaseErrorMiddleware(responses))
///
/// A response has nothing of the error itself: SQL, names of tables, values and paths are in the log only.
///
/// The logger of the request gets the error: as a debug message for a status below 500, as a warning for one of 500 and
/// above, and as an error if it passes. Hummingbird logs an error that passes as a debug message.
public struct DatabaseErrorMiddleware<Context: RequestContext>: RouterMiddleware {
    private let responses: DatabaseErrorResponses

    /// - Parameter responses: The responses to errors.
    public init(_ responses: DatabaseErrorResponses = DatabaseErrorResponses()) {
        self.responses = responses
    }

    @_documentation(visibility: internal)
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let response = responses.response(to: error)
            if error is SQLiteError || error is ConversionError || error is InsertionError {
                context.logger.log(level: level(response), "Database error", metadata: ["error": "\(error)"])
            }
            throw response ?? error
        }
    }

    private func level(_ response: HTTPError?) -> Logger.Level {
        guard let response else { return .error }
        return response.status.code < 500 ? .debug : .warning
    }
}
