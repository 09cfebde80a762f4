// Prints the metrics of a database after some reads and writes.
import MetricsTestKit
import Squall
import SquallMetrics

let backend = TestMetrics()
let database = try Database.temporary()
let metrics = DatabaseMetrics(database, name: "app", factory: backend)

try await database.write { try $0.execute("CREATE TABLE t(a)") }
for number in 0..<100 { try await database.write { try $0.run("INSERT INTO t VALUES(\(number))") } }
let numbers: [Int] = try await database.read { try $0.query("SELECT a FROM t") }
await metrics.record()

print(numbers.count, "rows")
for counter in backend.counters where counter.totalValue > 0 { print(counter.label, counter.totalValue) }
for gauge in backend.recorders { print(gauge.label, gauge.dimensions.last?.1 ?? "", gauge.lastValue ?? 0) }
for timer in backend.timers where !timer.values.isEmpty {
    let sorted = timer.values.sorted()
    print(timer.label, timer.dimensions.last?.1 ?? "", "p50", sorted[sorted.count / 2] / 1_000, "µs")
}
