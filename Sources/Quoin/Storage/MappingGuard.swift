import CKernels

/// Keeps a mapping of a file from ending the process when somebody cuts off the file's end.
///
/// To read a page that a file doesn't have any more raises a signal, SIGBUS. Its handler (`CKernels/guard.c`) puts zeros in the
/// place of the mapping. So guarded bytes may change at any moment: whoever wants to rely on them makes a copy first, and
/// compares the copy with its checksum.
struct MappingGuard: Sendable {
  /// The address of the C object.
  private let address: UInt

  /// Whether mappings are guarded in this process.
  static var isInstalled: Bool { quoin_guard_is_installed() != 0 }

  /// Installs the handler of the signal, once. Mappings that are made later are guarded.
  static func install() { quoin_guard_install() }

  /// Guards `count` mapped bytes until `end`; nil if there is no memory for that.
  init?(address start: UInt, count: Int) {
    // Sound: nothing is read or written there; the object lives as long as the process.
    guard let object = unsafe quoin_guard_add(UnsafeRawPointer(bitPattern: start), count) else { return nil }
    address = UInt(bitPattern: object)
  }

  /// Whether there are zeros in the place of the file.
  var hasLostFile: Bool { unsafe quoin_guard_has_lost(OpaquePointer(bitPattern: address)) != 0 }

  /// Must be called once, before the mapping ends.
  func end() { unsafe quoin_guard_remove(OpaquePointer(bitPattern: address)) }
}
