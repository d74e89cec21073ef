import Testing

@testable import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The one implementation of the file-system seam that counts.
@Suite struct SystemFilesTests {
  private let folder = TemporaryDirectory()
  private let files = SystemFiles()

  private func path(_ name: String) -> String { folder.path + "/" + name }

  private func content(of name: String) throws -> [UInt8] {
    let mapping = try files.map(path(name))
    return withExtendedLifetime(mapping) { mapping.view.array }
  }

  @Test func what_was_written_is_mapped() throws {
    try files.writeFile(path("a"), [[1, 2], [], [3]])
    #expect(try content(of: "a") == [1, 2, 3])
    #expect(try files.names(in: folder.path) == ["a"])
  }

  @Test func a_file_without_bytes_is_mapped() throws {
    try files.writeFile(path("a"), [])
    #expect(try content(of: "a") == [])
  }

  @Test func a_mapping_outlives_its_file() throws {
    try files.writeFile(path("a"), [[7]])
    let mapping = try files.map(path("a"))
    try files.remove(path("a"))
    withExtendedLifetime(mapping) { #expect(mapping.view.first == 7) }
    #expect(try files.names(in: folder.path).isEmpty)
  }

  @Test func announcing_is_advice_and_a_refusal_is_harmless() throws {
    try files.writeFile(path("a"), [(0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 256) }])
    let mapping = try files.map(path("a"))
    mapping.announce(0..<300_000)
    mapping.announce(4097..<4098)
    mapping.announce(200_000..<200_000)
    try files.map(path("a")).announce(0..<300_000)
    // Nothing is mapped there, and the address is no page's.
    fetchPages(of: 0..<1_000_000, mappedAt: 4096)
    fetchPages(of: 0..<10, mappedAt: 17)
    withExtendedLifetime(mapping) {
      #expect(mapping.view.integer(at: 299_999) as UInt8 == UInt8(truncatingIfNeeded: 299_999 / 256))
    }
    try files.writeFile(path("empty"), [])
    try files.map(path("empty")).announce(0..<0)
  }

  @Test func renaming_replaces() throws {
    try files.writeFile(path("a"), [[1]])
    try files.writeFile(path("b"), [[2]])
    try files.rename(path("a"), to: path("b"))
    #expect(try content(of: "b") == [1])
    try files.syncDirectory(folder.path)
  }

  @Test func a_temporary_file_is_new_and_can_be_written_and_read() throws {
    let file = try files.createTemporaryFile(beside: path("a"))
    defer { close(file.descriptor) }
    let other = try files.createTemporaryFile(beside: path("a"))
    defer { close(other.descriptor) }
    #expect(Set([file.path, other.path]) == Set(try files.names(in: folder.path).map(path)))
    #expect(file.path.hasPrefix(path("a.")) && file.path != other.path)
    try ([1, 2] as [UInt8]).withRawSpan { try files.write($0, to: file.descriptor, file.path) }
    #expect(try content(of: String(file.path.dropFirst(path("").count))) == [1, 2])
    #expect(throws: FileSystemError(.create, path("x/y"), code: ENOENT)) {
      try files.createTemporaryFile(beside: path("x/y"))
    }
  }

  @Test func errors_name_the_operation_the_file_and_the_reason() throws {
    try files.writeFile(path("a"), [[1]])
    #expect(throws: FileSystemError(.create, path("a"), code: EEXIST)) { try files.createFile(path("a")) }
    #expect(throws: FileSystemError(.open, path("b"), code: ENOENT)) { try files.map(path("b")) }
    #expect(throws: FileSystemError(.remove, path("b"), code: ENOENT)) { try files.remove(path("b")) }
    #expect(throws: FileSystemError(.rename, path("c"), code: ENOENT)) { try files.rename(path("b"), to: path("c")) }
    #expect(throws: FileSystemError(.list, path("b"), code: ENOENT)) { try files.names(in: path("b")) }
    #expect(throws: FileSystemError(.createDirectory, path("x/y"), code: ENOENT)) {
      try files.createDirectory(path("x/y"))
    }
    #expect(throws: FileSystemError(.open, path("b"), code: ENOENT)) { try files.syncDirectory(path("b")) }
    #expect(
      FileSystemError(.create, "x", code: ENOSPC).description == "cannot create 'x': No space left on device")
  }

  @Test func making_a_directory_again_is_fine() throws {
    try files.createDirectory(path("d"))
    try files.createDirectory(path("d"))
  }

  @Test func a_lock_has_one_holder_until_it_lets_go() throws {
    var lock = try files.lock(path("L"), holder: "me")
    #expect(lock != nil)
    #expect(try files.lock(path("L"), holder: "you") == nil)
    lock = nil
    #expect(try files.lock(path("L"), holder: "you") != nil)
  }

  /// Whoever was refused may have the file mapped.
  @Test func the_lock_file_never_becomes_shorter() throws {
    _ = try files.lock(path("L"), holder: String(repeating: "long name ", count: 100))
    let mapping = try files.map(path("L"))
    let lock = try files.lock(path("L"), holder: "x")
    let after = try content(of: "L")
    withExtendedLifetime((mapping, lock)) {
      #expect(after.count == mapping.view.count)
      #expect(mapping.view.array.last == 0 && mapping.view.first == UInt8(ascii: "x"))
    }
  }

  /// As a child has it that was forked meanwhile: a second descriptor of the same lock.
  @Test func a_lock_is_released_although_another_process_has_its_descriptor() throws {
    let lock = path("LOCK")
    var held = try files.lock(lock, holder: "here")
    #expect(held != nil)
    #expect(try files.lock(lock, holder: "there") == nil)
    var twins: [Int32] = []
    var place = stat()
    #expect(unsafe stat(lock, &place) == 0)
    // The tests beside this one may have hundreds of files open.
    for descriptor in 3..<min(getdtablesize(), 1 << 16) {
      var status = stat()
      if unsafe fstat(descriptor, &status) == 0, status.st_ino == place.st_ino, status.st_dev == place.st_dev {
        twins.append(dup(descriptor))
      }
    }
    defer { for twin in twins { close(twin) } }
    #expect(!twins.isEmpty)
    withExtendedLifetime(held) {}
    held = nil
    #expect(try files.lock(lock, holder: "there") != nil)
  }
}
