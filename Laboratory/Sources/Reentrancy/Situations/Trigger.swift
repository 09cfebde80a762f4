/// The call of a cell, which a situation makes once. SQLite calls most hooks several times, and also for what the call does.
///
/// Sendable, because one thread at a time uses it.
final class Trigger: @unchecked Sendable {
    private let scene: Scene
    private var body: (() throws -> Void)?

    init(_ scene: Scene, _ body: @escaping () throws -> Void) {
        self.scene = scene
        self.body = body
    }

    /// Whether the call has been made.
    private(set) var hasFired = false

    /// Releases the objects of the call, which a function of the connection may keep.
    func discard() { body = nil }

    /// Makes the call, if it has not been made.
    func fire() {
        guard let body else { return }
        self.body = nil
        hasFired = true
        scene.attempt(body)
    }
}
