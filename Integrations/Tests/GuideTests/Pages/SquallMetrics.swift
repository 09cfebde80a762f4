// swift-format-ignore-file
import Logging
import MetricsTestKit
import ServiceLifecycle
import Squall
import SquallMetrics
import Testing

struct SquallMetricsPage {
    private let logger = Logger(label: "guide") { _ in SwiftLogNoOpLogHandler() }

    @Test func metricsAreAService() async throws {
        let database = try Database.temporary()
        let metrics = DatabaseMetrics(database, name: "app", every: .seconds(10))
        let group = ServiceGroup(services: [metrics], logger: logger)
        async let running: Void = group.run()
        try await database.write { try $0.execute("CREATE TABLE t(a)") }
        await metrics.record()
        await group.triggerGracefulShutdown()
        try await running
    }
}
