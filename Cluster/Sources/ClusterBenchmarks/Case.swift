#if os(Linux)
    /// A row of the table: the median of the time of one call, the best of several rounds.
    struct Case {
        private static let rounds = 7

        private let name: String
        private let count: Int
        private let other: String?
        private let body: (Int) async throws -> Void

        /// - Parameter other: The case to whose time the ratio is printed.
        init(_ name: String, _ count: Int, beside other: Case? = nil, _ body: @escaping (Int) async throws -> Void) {
            self.name = name
            self.count = count
            self.other = other?.name
            self.body = body
        }

        private func median() async throws -> Double {
            var times: [Double] = []
            for number in 0..<count {
                let start = ContinuousClock.now
                try await body(number)
                times.append((ContinuousClock.now - start).seconds)
            }
            return times.sorted()[count / 2]
        }

        /// Measures cases in turn, and prints a line for each.
        static func measure(_ cases: [Case]) async throws {
            var best: [String: Double] = [:]
            for _ in 0..<rounds {
                for item in cases { best[item.name] = min(best[item.name] ?? .infinity, try await item.median()) }
            }
            for item in cases {
                let time = best[item.name] ?? 0
                let ratio = item.other.flatMap { best[$0] }.map {
                    ", \(Benchmarks.ratio(time / $0)) of \(item.other ?? "")"
                }
                print("\(item.name): \(Int((time * 1e6).rounded())) µs\(ratio ?? "")")
            }
        }
    }
#endif
