import type { Block, Chunks, Inline, InlineSegment, ListItem, TableRow } from '../tree/tree.ts'

const STRONG = /[\p{L}\u200E\u200F]/u
const RIGHT_TO_LEFT =
  /[\u200F\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}\p{Script=Yezidi}]/u
/** Texts without a letter that are looked through, so that a long block of numbers costs no more than a short one. */
const MOST_TEXTS = 64

/** Where the first letter of these blocks makes their text begin, as a browser finds it: code and formulas do not count. Undefined: they have no letter yet, and follow the page. */
export function directionOf(blocks: Iterable<Block>): 'ltr' | 'rtl' | undefined {
  return firstDirection(textsOf(blocks))
}

function firstDirection(texts: Iterable<string>): 'ltr' | 'rtl' | undefined {
  let looked = 0
  for (const text of texts) {
    const letter = STRONG.exec(text)?.[0]
    if (letter !== undefined) return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr'
    looked += 1
    if (looked === MOST_TEXTS) return undefined
  }
  return undefined
}

/** Left to the browser where there is a letter. What has none follows what is around it, where `auto` would be left to right. */
export function ownDirection(segments: readonly InlineSegment[]): 'auto' | undefined {
  return firstDirection(wordsOf(segments)) === undefined ? undefined : 'auto'
}

function* textsOf(nodes: Iterable<Block | ListItem | TableRow>): Generator<string> {
  for (const node of nodes) {
    if ('segments' in node) yield* wordsOf(node.segments)
    else if ('children' in node) yield* textsOf(eachOf<Block>(node.children))
    else if ('items' in node) yield* textsOf(eachOf(node.items))
    else if ('rows' in node) {
      yield* textsOf([node.head])
      yield* textsOf(eachOf(node.rows))
    } else if ('cells' in node) for (const { segments } of node.cells) yield* wordsOf(segments)
  }
}

function* wordsOf(inlines: readonly (Inline | InlineSegment)[]): Generator<string> {
  for (const inline of inlines) {
    if ('children' in inline) yield* wordsOf(inline.children)
    else if (inline.type === 'text' || inline.type === 'html') yield inline.text
    else if (inline.type === 'image') yield inline.alt
  }
}

/** The items of a list in chunks, one after the other. */
export function* eachOf<Item>(chunks: Chunks<Item>): Generator<Item> {
  for (const { items } of chunks) yield* items
}
