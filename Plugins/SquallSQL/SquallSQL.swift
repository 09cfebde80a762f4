import Foundation
import PackagePlugin

/// Writes the SQL files of a target as Swift when the target is built: those in the folder `SQL` of the target.
@main
struct SquallSQL: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        let folder = target.directoryURL.appending(path: "SQL", directoryHint: .isDirectory)
        return SQLFolder(folder, files: SQLFolder.files(in: folder)).commands(
            tool: try context.tool(named: "squall-sql").url, output: context.pluginWorkDirectoryURL)
    }
}

#if canImport(XcodeProjectPlugin)
    import XcodeProjectPlugin

    extension SquallSQL: XcodeBuildToolPlugin {
        func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
            // The files of a target of Xcode can stand anywhere: those in a folder `SQL` are taken.
            let files = target.inputFiles.map(\.url).filter { $0.pathComponents.contains("SQL") }
            guard let first = files.first(where: { $0.pathExtension == "sql" }) else { return [] }
            let folder = first.pathComponents.prefix { $0 != "SQL" } + ["SQL"]
            let url = URL(filePath: folder.joined(separator: "/"), directoryHint: .isDirectory)
            return SQLFolder(url, files: files.filter { $0.path.hasPrefix(url.path) }).commands(
                tool: try context.tool(named: "squall-sql").url, output: context.pluginWorkDirectoryURL)
        }
    }
#endif
