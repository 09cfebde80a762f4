import Observation

/// The value that a closure reads, which follows the database: an object for the main actor.
///
///     @MainActor final class CarList {
///         let cars: Live<[Car]>
///         init(_ database: Database) { cars = Live(database) { try $0.all(Car.self) } }
///     }
///
/// It is `@Observable`: SwiftUI and `withObservationTracking` follow its properties. It observes the database as
/// ``Database/observe(coalescing:_:)`` does, until it is released or the database is closed.
@MainActor
@Observable
public final class Live<Value: Sendable> {
    /// The value that was read last; `nil` before the first one.
    public private(set) var value: Value?

    /// The error that has ended the observation. The last value stays. ``restart()`` observes again.
    public private(set) var error: (any Error)?

    /// Whether the first value is still being read.
    public private(set) var isLoading = true

    @ObservationIgnored private let values: ObservedValues<Value>
    @ObservationIgnored private var task: Task<Void, Never>?

    /// Follows the values of an observation.
    public init(_ values: ObservedValues<Value>) {
        self.values = values
        start()
    }

    /// Reads a value now, and after each change that concerns it, as ``Database/observe(coalescing:_:)`` does.
    public convenience init(
        _ database: Database, coalescing: Duration = .zero,
        _ fetch: @escaping @Sendable (Connection) throws -> Value
    ) {
        self.init(database.observe(coalescing: coalescing, fetch))
    }

    isolated deinit { task?.cancel() }

    /// Begins again, after an error or at any time.
    public func restart() {
        task?.cancel()
        error = nil
        isLoading = value == nil
        start()
    }

    private func start() {
        task = Task { [weak self, values] in
            do {
                for try await value in values {
                    guard !Task.isCancelled, let self else { return }
                    self.value = value
                    self.isLoading = false
                }
            } catch {
                guard !Task.isCancelled, let self else { return }
                self.error = error
            }
            if !Task.isCancelled { self?.isLoading = false }
        }
    }
}

#if canImport(SwiftUI)
    import SwiftUI

    /// A view of a value that follows the database.
    ///
    ///     LiveContent(database.observe { try $0.all(Car.self) }) { cars in
    ///         if let error = cars.error { Text("\(error)") }
    ///         List(cars.value ?? []) { Text($0.name) }
    ///     }
    ///
    /// The observation begins when the view appears for the first time, and ends with the view. To observe something else, give the view
    /// another identity: `.id(filter)`.
    public struct LiveContent<Value: Sendable, Content: View>: View {
        @State private var live: Live<Value>
        private let content: (Live<Value>) -> Content

        /// - Parameter content: The view for the present value.
        public init(
            _ values: @autoclosure @escaping () -> ObservedValues<Value>,
            @ViewBuilder content: @escaping (Live<Value>) -> Content
        ) {
            _live = State(wrappedValue: Live(values()))
            self.content = content
        }

        public var body: some View { content(live) }
    }
#endif
