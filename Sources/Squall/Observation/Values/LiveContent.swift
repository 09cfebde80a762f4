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
