#if os(Linux)
    /// A row of the table: the median and the 99th percentile of the time of one call, each the best of several rounds.
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

        private func times() async throws -> (median: Double, high: Double) {
            var times: [Double] = []
            for number in 0..<count {
                let start = ContinuousClock.now
                try await body(number)
                times.append((ContinuousClock.now - start).seconds)
            }
            times.sort()
            return (times[count / 2], times[count * 99 / 100])
        }

        /// Measures cases in turn, and prints a line for each.
        static func measure(_ cases: [Case]) async throws {
            var best: [String: Double] = [:]
            var high: [String: Double] = [:]
            for _ in 0..<rounds {
                for item in cases {
                    let times = try await item.times()
                    best[item.name] = min(best[item.name] ?? .infinity, times.median)
                    high[item.name] = min(high[item.name] ?? .infinity, times.high)
                }
            }
            for item in cases {
                let time = best[item.name] ?? 0
                let ratio = item.other.flatMap { best[$0] }.map {
                    ", \(Benchmarks.ratio(time / $0)) of \(item.other ?? "")"
                }
                print("\(item.name): \(micros(time)), 99 % within \(micros(high[item.name] ?? 0))\(ratio ?? "")")
            }
        }

        private static func micros(_ seconds: Double) -> String { "\(Int((seconds * 1e6).rounded())) µs" }
    }
#endif
