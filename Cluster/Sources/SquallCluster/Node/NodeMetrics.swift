#if os(Linux)
    import Foundation
    import Glibc
    import Metrics

    /// What swift-metrics is told of a node. Each gauge has the dimension `node`, the identifier.
    ///
    /// - `squall.node.replies`: 1 if the node replied within a second, otherwise 0;
    /// - `squall.node.leads`: 1 if it said that it leads its cluster, otherwise 0;
    /// - `squall.node.members`: the number of members that it named last;
    /// - `squall.node.directory.bytes`: the size of the files in its directory.
    struct NodeMetrics: Sendable {
        private static let deadline = Duration.seconds(1)

        private let id: UInt64
        private let address: String
        private let directory: String
        private let replies: Gauge
        private let leads: Gauge
        private let members: Gauge
        private let bytes: Gauge

        init(id: UInt64, address: String, directory: String, factory: any MetricsFactory = MetricsSystem.factory) {
            self.id = id
            self.address = address
            self.directory = directory
            let dimensions = [("node", "\(id)")]
            replies = Gauge(label: "squall.node.replies", dimensions: dimensions, factory: factory)
            leads = Gauge(label: "squall.node.leads", dimensions: dimensions, factory: factory)
            members = Gauge(label: "squall.node.members", dimensions: dimensions, factory: factory)
            bytes = Gauge(label: "squall.node.directory.bytes", dimensions: dimensions, factory: factory)
        }

        /// Records the measurements after each interval, until the task is cancelled.
        func record(every interval: Duration) async {
            while !Task.isCancelled {
                await record()
                try? await Task.sleep(for: interval)
            }
        }

        func record() async {
            bytes.record(Self.size(of: directory))
            let state = try? await state()
            replies.record(state == nil ? 0 : 1)
            leads.record(state?.leads == true ? 1 : 0)
            if let state { members.record(state.members) }
        }

        private func state() async throws -> (leads: Bool, members: Int) {
            var settings = ConnectionSettings()
            settings.connectDeadline = Self.deadline
            let connection = try await NodeConnection.connect(to: address, settings: settings)
            let leader = try await connection.leader(deadline: Self.deadline)
            let members = try await connection.cluster(deadline: Self.deadline)
            await connection.close()
            return (leader?.id == id, members.count)
        }

        private static func size(of directory: String) -> Int {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
            return names.reduce(0) { sum, name in
                var file = stat()
                return lstat(directory + "/" + name, &file) == 0 ? sum + Int(file.st_size) : sum
            }
        }
    }
#endif
