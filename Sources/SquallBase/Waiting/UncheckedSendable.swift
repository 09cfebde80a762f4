/// A value of a type that is not `Sendable`, which is used by one thread at a time or never changes. Each use says which.
///
/// Sendable, because its user proves what the compiler cannot.
package struct UncheckedSendable<Value>: @unchecked Sendable {
    package let value: Value

    package init(_ value: Value) { self.value = value }
}
