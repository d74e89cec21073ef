#if canImport(Glibc)
  import CKernels
  import Glibc
#else
  import Darwin
#endif

extension SystemFiles {
  /// If nothing exists at the path yet, the kind is that of the directory that it will be in.
  func networkKind(of path: String) -> String? {
    var place = path
    while unsafe access(place, F_OK) != 0 {
      guard errno == ENOENT, let parent = Self.parent(of: place) else { return nil }
      place = parent
    }
    return NetworkKind.ofExisting(place)
  }

  private static func parent(of path: String) -> String? {
    guard !path.isEmpty, path != "." else { return nil }
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

/// Linux file systems whose files are on another machine or are provided by a program, by the number that `statfs` gives
/// (statfs(2), linux/magic.h). The engine doesn't rely on locks, renames and removed files to work there as on a local disk.
enum NetworkKind {
  #if canImport(Glibc)
    static func ofExisting(_ path: String) -> String? {
      unsafe name(forMagic: UInt32(truncatingIfNeeded: quoin_file_system_kind(path)))
    }
  #else
    static func ofExisting(_ path: String) -> String? {
      var status = statfs()
      guard unsafe statfs(path, &status) == 0, status.f_flags & UInt32(MNT_LOCAL) == 0 else { return nil }
      return unsafe withUnsafePointer(to: &status.f_fstypename) {
        // Sound: the kernel ends the name with a zero byte inside the field.
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: Int(MFSTYPENAMELEN)) { unsafe String(cString: $0) }
      }
    }
  #endif

  static func name(forMagic number: UInt32) -> String? {
    switch number {
    case 0x6969: "NFS"
    case 0x517B, 0xFF53_4D42, 0xFE53_4D42: "SMB"
    case 0x6573_5546: "FUSE"
    case 0x0102_1997: "9P"
    case 0x00C3_6400: "Ceph"
    case 0x0BD0_0BD0: "Lustre"
    case 0x4750_4653: "GPFS"
    case 0x1983_0326: "BeeGFS"
    case 0x0116_1970: "GFS2"
    case 0x7461_636F: "OCFS2"
    case 0x5346_414F, 0x6B41_4653: "AFS"
    case 0x7375_7245: "Coda"
    case 0x786F_4256: "VirtualBox shared folder"
    default: nil
    }
  }
}
