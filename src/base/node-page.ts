// A component may be in an iframe, a pop-out window or a shadow root, while its code runs in another window: the globals `document`
// and `window` are then another page's, and a document sees the host where the focus or an event is inside a shadow root.

/** The window of a node's document. Null: the document has no window, for example because its iframe was removed. */
export function windowOf(node: Node): Document['defaultView'] {
  return node.ownerDocument?.defaultView ?? null
}

/** A node, the host of the shadow root that it is in, the host of that one, and so on. */
export function hostsOf(node: Node): readonly Node[] {
  const root = node.getRootNode()
  return isShadowRoot(root) ? [node, ...hostsOf(root.host)] : [node]
}

/** Shadow roots around a node, innermost first, then its document. If the node is detached, the last one is its topmost ancestor. */
export function rootsOf(node: Node): readonly (ParentNode & Node)[] {
  // The root of an element's tree can have elements.
  return hostsOf(node).map((inner) => inner.getRootNode() as ParentNode & Node)
}

/** The focused element of the tree that a node is in: a shadow root names it where the document names the host. */
export function focusedElement(node: Node): Element | null {
  const root = node.getRootNode()
  // The root of a detached node is neither a document nor a shadow root.
  return 'activeElement' in root ? (root as Document | ShadowRoot).activeElement : null
}

/** The nodes at both ends of the selection, in the document of a node or in a shadow root around it. */
export function selectionEnds(node: Node): readonly (Node | null)[] {
  const selection = windowOf(node)?.getSelection()
  if (!selection) return []
  const shadowRoots = rootsOf(node).filter(isShadowRoot)
  // Without shadow roots, and in older browsers, the selection itself names its ends.
  if (shadowRoots.length === 0 || !('getComposedRanges' in selection))
    return [selection.anchorNode, selection.focusNode]
  return selection.getComposedRanges({ shadowRoots }).flatMap((range) => [range.startContainer, range.endContainer])
}

/** Whether nothing has the focus in the document of a node. */
export function isUnfocused({ ownerDocument: page }: Element): boolean {
  return page.activeElement === null || page.activeElement === page.body
}

/** Whether a value is an element, of whatever window: `instanceof` knows those of one. */
export function isElement(value: unknown): value is Element {
  return typeof value === 'object' && value !== null && 'nodeType' in value && value.nodeType === 1
}

/** A `ResizeObserver` of a node's window: another window's is not called while that one is hidden. Undefined where there is none, as in tests without a browser. */
export function createSizeObserver(node: Node, onResize: ResizeObserverCallback): ResizeObserver | undefined {
  const view: Partial<NonNullable<Document['defaultView']>> | null = windowOf(node)
  return view?.ResizeObserver && new view.ResizeObserver(onResize)
}

function isShadowRoot(root: Node): root is ShadowRoot {
  return 'host' in root && isElement(root.host)
}
