/// Stands for `SwiftUI.Binding`, on platforms without SwiftUI. Only what the example uses is there.
@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
    public var wrappedValue: Value

    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) { wrappedValue = get() }
    public static func constant(_ value: Value) -> Binding<Value> { Binding(get: { value }, set: { _ in }) }

    public var projectedValue: Binding<Value> { self }
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        .constant(wrappedValue[keyPath: keyPath])
    }
}

/// Stands for `SwiftUI.Bindable`.
@propertyWrapper @dynamicMemberLookup public struct Bindable<Value: AnyObject> {
    public var wrappedValue: Value

    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    public var projectedValue: Bindable<Value> { self }
    public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>) -> Binding<Subject> {
        .constant(wrappedValue[keyPath: keyPath])
    }
}

/// Stands for `SwiftUI.State`.
@propertyWrapper public struct State<Value> {
    public var wrappedValue: Value

    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    public var projectedValue: Binding<Value> { .constant(wrappedValue) }
}

/// Stands for `SwiftUI.Environment`.
@propertyWrapper public struct Environment<Value> {
    public let wrappedValue: Value

    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

public struct Transaction {}
public struct Path {}
public struct Angle {}
