import Testing

@testable import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What somebody else may have put in the place of a store's file.
enum ForeignFile: String, CaseIterable, CustomTestStringConvertible {
  case pipe, socket, device, directory
  /// Links to a file of the user's, to nothing, and to the store's own file elsewhere.
  case link, danglingLink, linkToTheFile
  /// A second name of the user's file, and of the store's own.
  case hardLink, hardLinkOfTheFile

  var testDescription: String { rawValue }

  /// Puts it at a path. What was there is beside `users` then.
  ///
  /// - Parameter users: a file of the user's.
  /// - Returns: whether the system allowed it; a device needs the right to make one.
  func put(at path: String, _ users: String) throws -> Bool {
    let files = SystemFiles()
    let original = users + ".original"
    if PathKind(of: path, followingLinks: false) == .missing {
      try files.writeFile(original, [Array("nothing was there".utf8)])
    } else {
      try files.rename(path, to: original)
    }
    switch self {
    case .pipe: return unsafe mkfifo(path, 0o600) == 0
    case .socket: return makeSocket(path)
    case .device: return unsafe mknod(path, S_IFCHR | 0o600, dev_t(0x105)) == 0  // /dev/zero
    case .directory: return unsafe mkdir(path, 0o700) == 0
    case .link: return unsafe symlink(users, path) == 0
    case .danglingLink: return unsafe symlink(users + ".new", path) == 0
    case .linkToTheFile: return unsafe symlink(original, path) == 0
    case .hardLink: return secondName(users, path) == 0
    case .hardLinkOfTheFile: return secondName(original, path) == 0
    }
  }
}

// Not among the cases, which have the names of the system's functions.

private func secondName(_ path: String, _ name: String) -> Int32 { unsafe link(path, name) }

private func makeSocket(_ path: String) -> Bool {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  let bytes = Array(path.utf8)
  guard bytes.count < 100 else { return false }
  unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
  #if canImport(Glibc)
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  #else
    let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
  #endif
  defer { close(descriptor) }
  return unsafe withUnsafePointer(to: &address) {
    unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  } == 0
}
