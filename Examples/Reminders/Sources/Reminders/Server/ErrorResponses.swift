import Hummingbird
import Squall

/// Answers the errors of the database with a status. Other errors pass, and are answered by Hummingbird.
struct ErrorResponses<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            throw httpError(for: error) ?? error
        }
    }

    private func httpError(for error: any Error) -> HTTPError? {
        switch error {
        case let error as NotFound:
            HTTPError(.notFound, message: error.description)
        case ResultCode.constraintUnique:
            HTTPError(.conflict, message: "The name is taken.")
        case ResultCode.constraintForeignKey:
            HTTPError(.conflict, message: "Something still refers to it.")
        case ResultCode.constraintCheck:
            HTTPError(.badRequest, message: "A name or a title is empty.")
        case ResultCode.busy:
            unavailableError("The database is locked.")
        case let error as SQLiteError:
            switch error.kind {
            case .interrupted(.deadline): unavailableError("The request took too long.")
            case .cursorOfOtherOrder: HTTPError(.badRequest, message: "The page belongs to another query.")
            default: nil
            }
        default:
            nil
        }
    }

    private func unavailableError(_ message: String) -> HTTPError {
        HTTPError(.serviceUnavailable, headers: [.retryAfter: "1"], message: message)
    }
}
