import type { Chunks } from '../inline/tree.ts'

const STRONG = /[\p{L}\u200E\u200F]/u
const RIGHT_TO_LEFT =
  /[\u200F\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}\p{Script=Yezidi}]/u
/** Texts without a letter that are looked through, so that a long block of numbers costs no more than a short one. */
const MOST_TEXTS = 64

/** Whatever of the tree may have text in it. */
interface TreeNode {
  readonly type?: string
  readonly text?: string
  readonly alt?: string
  readonly segments?: readonly TreeNode[]
  readonly children?: readonly TreeNode[]
  readonly items?: readonly TreeNode[]
  readonly head?: TreeNode
  readonly rows?: readonly TreeNode[]
  readonly cells?: readonly TreeNode[]
}

/** Where the first letter of a node makes its text begin, as a browser finds it: code and formulas do not count. Undefined: it has no letter yet, and follows the page. */
export function directionOf(node: TreeNode): 'ltr' | 'rtl' | undefined {
  let left = MOST_TEXTS
  for (const text of textsOf(node)) {
    const letter = STRONG.exec(text)?.[0]
    if (letter) return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr'
    left -= 1
    if (left === 0) break
  }
  return undefined
}

/** Left to the browser where there is a letter. What has none follows what is around it, where `auto` would be left to right. */
export function ownDirection(node: TreeNode): 'auto' | undefined {
  return directionOf(node) && 'auto'
}

function* textsOf(node: TreeNode): Generator<string> {
  const { type, text, alt, segments, children, items, head, rows, cells } = node
  if (alt) yield alt
  if (text && (type === 'text' || type === 'html')) yield text
  for (const nodes of [segments, children, items, head?.cells, rows, cells])
    if (nodes) for (const inner of nodes) yield* textsOf(inner)
}

/** The items of a list in chunks, one after the other. */
export function* eachOf<Item>(chunks: Chunks<Item>): Generator<Item> {
  for (const { items } of chunks) yield* items
}
