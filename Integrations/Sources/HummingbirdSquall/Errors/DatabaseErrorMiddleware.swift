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
/// A response has nothing of the error itself: SQL, names of tables, values and paths stay in the log of the request,
/// which gets the error as a warning when the status is 500 or higher, and as a debug message otherwise.
public struct DatabaseErrorMiddleware<Context: RequestContext>: RouterMiddleware {
    private let responses: DatabaseErrorResponses

    /// - Parameter responses: The responses to errors.
    public init(_ responses: DatabaseErrorResponses = DatabaseErrorResponses()) {
        self.responses = responses
    }

    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            guard let response = responses.response(to: error) else { throw error }
            context.logger.log(
                level: response.status.code >= 500 ? .warning : .debug, "Database error",
                metadata: ["error": "\(error)", "status": "\(response.status.code)"])
            throw response
        }
    }
}
