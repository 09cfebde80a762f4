/// A value of a type that is not `Sendable`. It never changes, or one thread at a time uses it, or several threads can use it
/// as its documentation says. A comment at each use states which.
///
/// Sendable, because its user proves what the compiler cannot.
package struct UncheckedSendable<Value>: @unchecked Sendable {
    package let value: Value

    package init(_ value: Value) { self.value = value }
}
