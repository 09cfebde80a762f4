/// The result of a backup.
public enum BackupResult: Sendable {
    case success
    /// The destination is unchanged.
    case failure(any Error)
    /// The destination is unchanged.
    case cancelled

    public var isSuccess: Bool { if case .success = self { true } else { false } }
    public var isFailure: Bool { if case .failure = self { true } else { false } }
    public var isCancelled: Bool { if case .cancelled = self { true } else { false } }
}
