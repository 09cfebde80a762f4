import Hummingbird
import HummingbirdSquall

extension DatabaseErrorResponses {
    /// The answers to errors of the database. Those that are not named here are those of `HummingbirdSquall`.
    static var reminders: Self {
        var responses = DatabaseErrorResponses()
        responses[.unique] = HTTPError(.conflict, message: "The name is taken.")
        responses[.foreignKey] = HTTPError(.conflict, message: "Something still refers to it.")
        responses[.check] = HTTPError(.badRequest, message: "A name or a title is empty.")
        return responses
    }
}

extension NotFound: HTTPResponseError {
    var status: HTTPResponse.Status { .notFound }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        try HTTPError(status, message: description).response(from: request, context: context)
    }
}
