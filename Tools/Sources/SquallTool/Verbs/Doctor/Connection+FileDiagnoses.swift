import Squall

extension Connection {
    /// Examines the settings of the file, its free pages and its log.
    func fileDiagnoses(_ files: SideFiles) throws -> [Diagnosis] {
        let journalMode: String = try query("PRAGMA main.journal_mode")
        return try [journalDiagnosis(journalMode), synchronousDiagnosis(), pageSizeDiagnosis(), freePageDiagnosis()]
            + logDiagnoses(files)
    }

    private func journalDiagnosis(_ mode: String) -> Diagnosis {
        switch mode.lowercased() {
        case "wal", "memory": Diagnosis(grade: .ok, subject: "journal", message: "mode \(mode)")
        default:
            Diagnosis(
                grade: .note, subject: "journal",
                message: "mode \(mode): a writer waits for all readers, and they wait for it",
                cure: "PRAGMA journal_mode = WAL, unless the file is on a network drive")
        }
    }

    private func synchronousDiagnosis() throws -> Diagnosis {
        let level: Int = try query("PRAGMA main.synchronous")
        let names = ["off", "normal", "full", "extra"]
        let name = names.indices.contains(level) ? names[level] : "\(level)"
        guard level == 0 else {
            return Diagnosis(
                grade: .ok, subject: "synchronous", message: "\(name) by default; each connection has its own setting")
        }
        return Diagnosis(
            grade: .warning, subject: "synchronous",
            message: "off by default: a power failure can damage the file", cure: "PRAGMA synchronous = NORMAL")
    }

    private func pageSizeDiagnosis() throws -> Diagnosis {
        let size = try pageSize()
        guard size < 4096 else { return Diagnosis(grade: .ok, subject: "page size", message: "\(size) bytes") }
        return Diagnosis(
            grade: .note, subject: "page size", message: "\(size) bytes: disks and systems work with 4096 or more",
            cure: configuration.encryption == nil
                ? "PRAGMA journal_mode = DELETE; PRAGMA page_size = 4096; VACUUM"
                : "'squall decrypt' and 'squall encrypt', which write new files")
    }

    private func freePageDiagnosis() throws -> Diagnosis {
        let (pages, free): (Int64, Int64) = (
            try query("PRAGMA main.page_count"), try query("PRAGMA main.freelist_count")
        )
        let mode: Int = try query("PRAGMA main.auto_vacuum")
        let names = ["none", "full", "incremental"]
        let vacuum = "auto_vacuum \(names.indices.contains(mode) ? names[mode] : "\(mode)")"
        let message = "\(free) of \(pages) pages are free (\(vacuum))"
        guard free >= 256, free * 4 >= pages else {
            return Diagnosis(grade: .ok, subject: "free pages", message: message)
        }
        return Diagnosis(
            grade: .note, subject: "free pages", message: message,
            cure: mode == 2 ? "PRAGMA incremental_vacuum" : "VACUUM, which returns them to the disk")
    }

    private func logDiagnoses(_ files: SideFiles) throws -> [Diagnosis] {
        guard let size = files.logSize, size > 0 else { return [] }
        if let fault = files.logFault {
            return [
                Diagnosis(
                    grade: .problem, subject: "log", message: "the file -wal does not belong to the database: \(fault)",
                    cure: "move the file -wal away, unless the database itself was replaced; keep both until you know")
            ]
        }
        let text = "\(Int64(size).byteText) in the write-ahead log"
        guard size > 16_000_000 else { return [Diagnosis(grade: .ok, subject: "log", message: text)] }
        return [
            Diagnosis(
                grade: size > 256_000_000 ? .warning : .note, subject: "log",
                message:
                    "\(text): a reader that never ends keeps SQLite from using it again, or a large transaction wrote it",
                cure: "PRAGMA wal_checkpoint(TRUNCATE) while nobody reads; limit it by PRAGMA journal_size_limit")
        ]
    }
}

extension Diagnosis {
    static let unfinishedTransaction = Diagnosis(
        grade: .problem, subject: "journal",
        message: "the file -journal has the changes of a transaction that did not finish; nothing else can be examined "
            + "before they are undone",
        cure: "open the database with a program that may write; SQLite then undoes them by itself")
}
