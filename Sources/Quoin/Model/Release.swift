/// The release of Quoin that these sources are.
package enum Release {
  /// The version, as semantic versioning writes it. README and CHANGELOG name the same, which a test checks.
  package static let version = "0.1.0"
}
