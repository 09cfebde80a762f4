/// The Swift that a run has executed. Its text takes longer than the run, so that only a run that repeats a failure has one.
final class Script {
    private(set) var lines: [String] = []

    func add(_ text: String) {
        lines += text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
