import Squall

extension Connection {
    /// Examines the version of SQLite that the tool uses.
    func libraryDiagnoses() throws -> [Diagnosis] {
        let version: String = try query("SELECT sqlite_version()")
        let journalMode: String = try query("PRAGMA main.journal_mode")
        guard Self.hasWALResetBug(version) else {
            return [Diagnosis(grade: .ok, subject: "SQLite", message: "version \(version)")]
        }
        let isLogged = journalMode.isSameName(as: "wal")
        return [
            Diagnosis(
                grade: isLogged ? .warning : .note, subject: "SQLite",
                message:
                    "version \(version) has the WAL-reset bug: in WAL mode, a write that meets a checkpoint of another "
                    + "connection can damage the file"
                    + (isLogged ? "" : " (this file is not in WAL mode)"),
                cure: "use SQLite 3.51.3 or later, or 3.50.7 or 3.44.6")
        ]
    }

    /// Returns whether a version has the bug that was fixed in 3.51.3, and on the branches 3.50 and 3.44.
    private static func hasWALResetBug(_ version: String) -> Bool {
        let numbers = version.split(separator: ".").compactMap { Int($0) }
        guard numbers.count >= 3, numbers[0] == 3 else { return false }
        let (minor, patch) = (numbers[1], numbers[2])
        return switch minor {
        case ..<7: false
        case 44: patch < 6
        case 50: patch < 7
        case 51: patch < 3
        default: minor < 51
        }
    }
}
