extension QuoteStore {
  /// Keeps the process alive when somebody makes a store's file shorter while it is read, with `truncate`, `cp` or
  /// `rsync --inplace`. Reading such a file then throws `StoreError.damaged`.
  ///
  ///     QuoteStore.surviveShrinkingFiles()
  ///     let store = try QuoteStore(at: "quoin-store")
  ///
  /// Without it, reading a page that a mapped file has lost ends the process with the signal SIGBUS. It installs a handler of that
  /// signal for the whole process, which passes on what happens anywhere but in a store's files. So it is for programs to call,
  /// once and before they open a store, and not for libraries.
  ///
  /// Stores that are opened later read every block from a copy, whose checksum is compared each time. So no value can come from
  /// bytes that changed; each scan takes a little longer for it.
  public static func surviveShrinkingFiles() { MappingGuard.install() }

  /// Whether all files of the snapshot can be read, as far as is known. If not, opening the store again may help.
  package var isWhole: Bool { snapshot.isWhole }
}
