import Foundation

extension Connection {
    /// The outcome of a backup, under SQift's name for ``BackupResult``.
    public typealias BackupResult = Squall.BackupResult
}

/// Binds NULL.
extension NSNull: Bindable {
    public var bindingValue: BindingValue { .null }
}
