import Testing

@testable import Quoin

/// A file system of a few megabytes, mounted for one test where that is allowed.
final class SmallDisk {
  let workspace: Workspace
  var path: String { workspace.path + "/disk" }

  /// Whether file systems can be mounted; says so when they can't, for tests are left out then.
  static let isAvailable: Bool = {
    let isAvailable = (try? SmallDisk(byteCount: 1 << 20)) != nil
    if !isAvailable { print("SKIPPED: tests on a full and a read-only disk, for mounting one takes Linux and root") }
    return isAvailable
  }()

  init(byteCount: Int) throws {
    workspace = try Workspace()
    let result = try workspace.shell("mkdir disk && mount -t tmpfs -o size=\(byteCount) tmpfs disk")
    try #require(result.status == 0, "\(result.err)")
  }

  deinit { _ = try? workspace.shell("umount -l disk") }

  func usedByteCount() throws -> Int {
    let words = try workspace.shell("stat -f -c '%b %f %S' disk").line(0).split(separator: " ").compactMap { Int($0) }
    try #require(words.count == 3)
    return (words[0] - words[1]) * words[2]
  }

  func makeReadOnly() throws {
    let result = try workspace.shell("mount -o remount,ro disk")
    try #require(result.status == 0, "\(result.err)")
  }
}
