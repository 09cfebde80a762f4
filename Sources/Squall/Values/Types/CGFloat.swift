#if canImport(CoreGraphics)
    import CoreGraphics

    /// REAL, as `Double`.
    extension CGFloat: Binding {
        public typealias BindingType = Double

        public var bindingValue: BindingValue { .real(Double(self)) }

        public static func fromBindingValue(_ value: Any) -> CGFloat? { (value as? Double).map { CGFloat($0) } }
    }
#endif
