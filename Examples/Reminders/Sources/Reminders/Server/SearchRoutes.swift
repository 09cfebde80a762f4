import Hummingbird
import Squall

extension SearchHit: ResponseEncodable {}
extension Statistics: ResponseEncodable {}

extension ReminderService {
    func addSearchRoutes(to router: Router<ReminderContext>) {
        router.get("search") { request, _ in
            let text = try request.uri.queryParameters.require("q")
            return try await read { try $0.search(text) }
        }
        router.get("stats") { _, _ in
            try await read { try $0.statistics() }
        }
    }
}
