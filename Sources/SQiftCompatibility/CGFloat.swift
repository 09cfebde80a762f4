#if !canImport(CoreGraphics)
    import Foundation

    // On other platforms the type is a part of the whole of Foundation, which Squall itself does without.

    /// REAL, as `Double`.
    extension CGFloat: Binding {
        public typealias BindingType = Double

        public var bindingValue: BindingValue { .real(Double(self)) }

        public static func fromBindingValue(_ value: Any) -> CGFloat? { (value as? Double).map { CGFloat($0) } }
    }
#endif
