/// What an expression or a predicate consists of, which may be trees of the same kind.
///
/// To free a tree frees what is inside it first, and so on, which takes stack for each level. Every 64 levels this is done on
/// a stack that has room for it, because a thread of a program that uses the library may have little.
struct Tree<Node: Sendable>: Sendable {
  private enum Storage: Sendable {
    case shallow(Node)
    case deep(DeepNode<Node>)
  }

  private let storage: Storage

  init(_ node: Node, levelCount: Int) {
    storage = levelCount > 0 && levelCount % 64 == 0 ? .deep(DeepNode(node)) : .shallow(node)
  }

  var node: Node {
    switch storage {
    case .shallow(let node): node
    case .deep(let deep): deep.node
    }
  }
}

// Sound to share: the node changes only when the last reference goes.
private final class DeepNode<Node: Sendable>: @unchecked Sendable {
  private var content: Node?

  init(_ node: Node) { content = node }

  var node: Node {
    guard let content else { preconditionFailure("the last reference has gone") }
    return content
  }

  deinit {
    var last = content
    content = nil
    if last != nil { SystemThread.deep(levelCount: .max) { last = nil } }
  }
}
