import IntegrationSupport

extension Locked {
    package var value: Value { withLock { $0 } }
}

extension Locked<Int> {
    package func increment() { withLock { $0 += 1 } }
}

extension Locked<[String]> {
    package func append(_ text: String) { withLock { $0.append(text) } }
}
