import Synchronization

@testable import Quoin

/// A disk whose mapped bytes are zeros until they are announced. So an answer is right only if everything that it was made of
/// had been announced before it was read.
final class AnnouncedFiles: FileSystem {
  private let disk: any FileSystem
  private let isEverythingThere: Bool
  private let taken = Mutex<[Announced]>([])

  /// A range that was announced, of the file of this name.
  struct Announced: Hashable {
    let name: String
    let range: Range<Int>
  }

  init(_ disk: any FileSystem, isEverythingThere: Bool = false) {
    self.disk = disk
    self.isEverythingThere = isEverythingThere
  }

  /// What was announced since this was last asked.
  func takeAnnounced() -> [Announced] {
    taken.withLock { taken in
      defer { taken = [] }
      return taken
    }
  }

  func map(_ path: String) throws(FileSystemError) -> MappedFile {
    let source = try disk.map(path)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, source.view.count), alignment: 64)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
    if isEverythingThere { unsafe memory.copyMemory(from: UnsafeRawBufferPointer(source.view.bytes)) }
    let address = UInt(bitPattern: memory.baseAddress)
    let name = String(path.split(separator: "/").last ?? "")
    let isThere = Mutex([Bool](repeating: isEverythingThere, count: source.view.count))
    return unsafe MappedFile(
      ByteView(UnsafeRawBufferPointer(start: memory.baseAddress, count: source.view.count)),
      fetch: { [self] range in
        taken.withLock { $0.append(Announced(name: name, range: range)) }
        isThere.withLock { isThere in
          // Each byte once, because another thread may be reading it already.
          for offset in range where !isThere[offset] {
            unsafe UnsafeMutablePointer<UInt8>(bitPattern: address + UInt(offset))?.pointee = source.view.integer(
              at: offset)
            isThere[offset] = true
          }
        }
      }, release: { unsafe UnsafeMutableRawPointer(bitPattern: address)?.deallocate() })
  }

  func names(in directory: String) throws(FileSystemError) -> [String] { try disk.names(in: directory) }

  var now: CommitTime { disk.now }

  // Stores on this disk are only read.
  func createDirectory(_ path: String) throws(FileSystemError) { try disk.createDirectory(path) }
  func createFile(_ path: String) throws(FileSystemError) -> any WritableFile { try disk.createFile(path) }
  func rename(_ path: String, to newPath: String) throws(FileSystemError) { try disk.rename(path, to: newPath) }
  func remove(_ path: String) throws(FileSystemError) { try disk.remove(path) }
  func syncDirectory(_ path: String) throws(FileSystemError) { try disk.syncDirectory(path) }
  func lock(_ path: String, holder: String) throws(FileSystemError) -> (any HeldLock)? {
    try disk.lock(path, holder: holder)
  }
}
