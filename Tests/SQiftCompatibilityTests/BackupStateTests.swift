import Testing

@testable import SQiftCompatibility
@testable import Squall

/// The state machine of a backup on a queue, without a queue and without SQLite.
struct BackupStateTests {
    typealias State = BackupState<String>

    /// A call, and what it returns: an order, a wake-up, or "" for neither.
    struct Step: Sendable {
        let call: String
        let result: String
        init(_ call: String, _ result: String) { (self.call, self.result) = (call, result) }
    }

    static let tables: [[Step]] = [
        // A pause holds the next step back, and its end runs that step.
        [
            Step("step a", "goOn"), Step("pause", ""), Step("phase", "paused"), Step("step b", "pause"),
            Step("pause", ""), Step("resume", "b"), Step("phase", "running"), Step("resume", ""),
            Step("step c", "goOn"),
        ],
        // A pause that ends before the next step holds nothing back.
        [Step("pause", ""), Step("resume", ""), Step("step a", "goOn")],
        // A resumed step is held back again if a pause begins before it.
        [
            Step("pause", ""), Step("step a", "pause"), Step("resume", "a"), Step("pause", ""),
            Step("step b", "pause"), Step("resume", "b"),
        ],
        // Cancelling runs the step that was held back, once, and it ends the backup.
        [
            Step("pause", ""), Step("step a", "pause"), Step("cancel", "a"), Step("phase", "cancelled"),
            Step("cancel", ""), Step("resume", ""), Step("step b", "cancel"),
        ],
        // A backup that was cancelled or has failed cannot be paused or resumed.
        [Step("cancel", ""), Step("pause", ""), Step("phase", "cancelled"), Step("step a", "cancel")],
        [
            Step("pause", ""), Step("fail", ""), Step("phase", "cancelled"), Step("resume", ""),
            Step("step a", "cancel"),
        ],
        // A backup that has copied its last page cannot be cancelled or paused.
        [Step("finish", ""), Step("cancel", ""), Step("pause", ""), Step("phase", "finished")],
        // The last step decides, even if the backup was cancelled or paused while it ran.
        [Step("step a", "goOn"), Step("cancel", ""), Step("finish", ""), Step("phase", "finished")],
        [Step("step a", "goOn"), Step("pause", ""), Step("finish", ""), Step("phase", "finished"), Step("resume", "")],
    ]

    @Test(arguments: tables) func everyCallReturnsWhatTheTableSays(_ steps: [Step]) {
        var state = State(BackupProgress(remaining: 3, total: 3))
        for (index, step) in steps.enumerated() {
            #expect(Self.perform(step.call, on: &state) == step.result, "step \(index): \(step.call)")
        }
    }

    private static func perform(_ call: String, on state: inout State) -> String {
        if call.hasPrefix("step ") { return "\(state.beginStep(wakeUp: String(call.dropFirst(5))))" }
        switch call {
        case "pause": state.pause()
        case "resume": return state.resume() ?? ""
        case "cancel": return state.cancel() ?? ""
        case "fail": state.fail()
        case "finish": state.finish(BackupProgress(remaining: 0, total: 3))
        case "phase": return phase(of: state)
        default: Issue.record("unknown call: \(call)")
        }
        return ""
    }

    /// The phase as the properties report it: never two at once.
    private static func phase(of state: State) -> String {
        let names = [
            state.isPaused ? "paused" : nil, state.isCancelled ? "cancelled" : nil,
            state.isFinished ? "finished" : nil,
        ]
        return names.contains { $0 != nil } ? names.compactMap(\.self).joined(separator: " and ") : "running"
    }

    @Test func theCountsFollowTheProgress() {
        var state = State(BackupProgress(remaining: 5, total: 5))
        #expect([state.completed, state.total] == [0, 5])
        state.update(BackupProgress(remaining: 4, total: 6))
        #expect([state.completed, state.total] == [2, 6])
        #expect(!state.isFinished)
        state.finish(BackupProgress(remaining: 0, total: 7))
        #expect([state.completed, state.total] == [7, 7])
    }

    @Test func anEmptyDatabaseCountsAsOnePage() {
        var state = State(BackupProgress(remaining: 0, total: 0))
        #expect([state.completed, state.total] == [0, 1])
        #expect(!state.isFinished)
        state.finish(BackupProgress(remaining: 0, total: 0))
        #expect([state.completed, state.total] == [1, 1])
        #expect(state.isFinished)
    }
}
