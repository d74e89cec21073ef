import Foundation

/// A directory that is removed with the value.
final class CFolder: Sendable {
  let path = FileManager.default.temporaryDirectory.path + "/quoin-c-\(UUID().uuidString)"

  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
