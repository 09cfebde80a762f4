import Squall
import SquallEncryption

extension Connection {
    /// Finds a file that is encrypted except for its header. Other errors are those of the SQL that the verb runs.
    ///
    /// - Throws: ``FileProblem/encrypted``.
    func checkIsNotEncrypted() throws {
        guard SQLiteLibrary.cipher != nil else { return }
        do { try run("SELECT 1 FROM main.sqlite_master LIMIT 1") } catch let error as SQLiteError
            where error.problem(FileProblem.self) != .encrypted
        {}
    }
}
