/// Linux file systems whose files are on another machine, or on whatever a program makes of them, by the number that
/// `statfs` gives (statfs(2), linux/magic.h). The engine assumes of none of them that locks, renames and removed files
/// work as on a local disk.
enum NetworkKind {
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
