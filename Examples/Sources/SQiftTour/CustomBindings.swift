import SQiftCompatibility

enum DownloadState: Int {
    case pending, downloading, downloaded, failed
}

extension DownloadState: Binding {
    typealias BindingType = Int64

    var bindingValue: BindingValue { return .integer(Int64(rawValue)) }

    static func fromBindingValue(_ value: Any) -> DownloadState? {
        guard let value = value as? Int64, let rawValue = Int(exactly: value) else { return nil }
        return DownloadState(rawValue: rawValue)
    }
}

func customBindings() throws {
    let connection = try Connection(storageLocation: .onDisk("path_to_db"))

    try connection.execute("CREATE TABLE downloads(name TEXT PRIMARY KEY, state INTEGER NOT NULL)")
    try connection.run("INSERT INTO downloads VALUES(?, ?)", "image1", DownloadState.pending)

    if let state: DownloadState = try connection.query("SELECT state FROM downloads WHERE name = 'image1'") {
        print("DownloadState.\(state)")
    }
}
