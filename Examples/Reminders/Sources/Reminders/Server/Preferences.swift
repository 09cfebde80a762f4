import Hummingbird
import HummingbirdSquall

/// The preferences of a client, which are kept in its session.
struct Preferences: Codable, Sendable, ResponseEncodable {
    /// The list that is shown when a request names none.
    var list: String?
}

/// The context of a request, with the session of its client.
struct ReminderContext: SessionsRequestContext {
    var coreContext: CoreRequestContextStorage
    let session = RequestSession<Preferences>()

    init(source: Source) { coreContext = .init(source: source) }
}

extension ReminderService {
    func addPreferenceRoutes(to router: Router<ReminderContext>) {
        router.get("preferences") { _, context in context.session.value ?? Preferences() }
        router.put("preferences") { request, context in
            let preferences = try await request.decode(as: Preferences.self, context: context)
            context.session.set(preferences)
            return preferences
        }
        router.delete("preferences") { _, context in
            context.session.end()
            return HTTPResponse.Status.noContent
        }
    }
}
