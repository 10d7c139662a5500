import { isJsonObject } from '../../base/json-object.ts'

/** What is shown of one block of a message. */
export type ContentBlock = { readonly thought: string } | { readonly text: string }

/** The text and the reasoning in the content of a message of LangChain, whole or a chunk, in order. */
export function blocksIn(content: unknown): readonly ContentBlock[] {
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : [{ type: 'text', text: content }]
  return blocks.flatMap((block): ContentBlock[] => {
    const thought = [block['reasoning'], block['thinking']].find((found) => typeof found === 'string')
    if (typeof thought === 'string') return [{ thought }]
    const { text } = block
    return typeof text === 'string' && text !== '' ? [{ text }] : []
  })
}

/** The text alone. */
export function textIn(content: unknown): string {
  return blocksIn(content)
    .map((block) => ('text' in block ? block.text : ''))
    .join('')
}
