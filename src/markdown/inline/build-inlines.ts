import type { LinkDefinition, Inline } from './tree.ts'
import { splitMails } from './autolinks.ts'
import type { Bracket, Piece, DelimiterRun } from './inline-parser-state.ts'

const DEEPEST = 100

/** Open brackets: `literal` is nested too deeply and stays text, `plain` is inside an image. */
type Frame =
  | {
      readonly type: 'emphasis' | 'strong' | 'strikethrough' | 'link'
      readonly outer: Inline[]
      readonly wrap: (children: readonly Inline[]) => Inline
    }
  | { readonly type: 'image'; readonly target: LinkDefinition }
  | { readonly type: 'literal' }
  | { readonly type: 'plain' }

/** What an image has of a node: a letter is never lost. */
function plainText(node: Inline): string {
  switch (node.type) {
    case 'text':
    case 'code':
    case 'html':
      return node.text
    case 'math':
      return node.source
    case 'softbreak':
    case 'break':
      return ' '
    case 'link':
    case 'sub':
    case 'sup':
    case 'kbd':
      return node.children.map(plainText).join('')
    case 'footnote-reference':
      return `[^${node.label}]`
    default:
      return ''
  }
}

/** The tree of a leaf out of its pieces, without recursion. */
export function buildInlines(pieces: readonly Piece[]): readonly Inline[] {
  const frames: Frame[] = []
  let into: Inline[] = []
  let text = ''
  let depth = 0
  let links = 0
  let inImage = false

  function flush(): void {
    if (text === '') return
    if (links > 0 || !text.includes('@')) into.push({ type: 'text', text })
    else into.push(...splitMails(text))
    text = ''
  }

  function open(
    type: 'emphasis' | 'strong' | 'strikethrough' | 'link',
    written: string,
    wrap: (children: readonly Inline[]) => Inline,
  ): void {
    if (inImage) frames.push({ type: 'plain' })
    else if (depth >= DEEPEST) {
      frames.push({ type: 'literal' })
      text += written
    } else {
      flush()
      depth++
      if (type === 'link') links++
      frames.push({ type, outer: into, wrap })
      into = []
    }
  }

  function close(written: string): void {
    const frame = frames.pop()
    if (frame === undefined || frame.type === 'plain') return
    if (frame.type === 'literal') {
      text += written
    } else if (frame.type === 'image') {
      into.push({ type: 'image', ...frame.target, alt: text })
      text = ''
      inImage = false
    } else {
      flush()
      depth--
      if (frame.type === 'link') links--
      const children = into
      into = frame.outer
      if (frame.type === 'link' || children.length > 0) into.push(frame.wrap(children))
    }
  }

  function run({ char, closes, left, opens }: DelimiterRun): void {
    for (const marks of closes) close(char.repeat(marks))
    text += char.repeat(left)
    for (const marks of opens.toReversed()) {
      const type = char === '~' ? 'strikethrough' : marks === 1 ? 'emphasis' : 'strong'
      open(type, char.repeat(marks), (children) => ({ type, children }))
    }
  }

  function bracket({ image, target, text: written }: Bracket): void {
    if (target === undefined) text += written
    else if (!image) open('link', written, (children) => ({ type: 'link', ...target, children }))
    else if (inImage) frames.push({ type: 'plain' })
    else {
      flush()
      inImage = true
      frames.push({ type: 'image', target })
    }
  }

  for (const piece of pieces) {
    if (piece.type === 'text') text += piece.text
    else if (piece.type === 'run') run(piece)
    else if (piece.type === 'close') close(piece.text)
    else if (piece.type === 'bracket') bracket(piece)
    else if (inImage) text += plainText(piece)
    else {
      flush()
      into.push(piece)
    }
  }
  flush()
  return into
}
