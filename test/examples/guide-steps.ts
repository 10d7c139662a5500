import { readPage } from '../docs/pages.ts'

/** What a guide asks of its reader, in order. */
export type Step =
  | { readonly do: 'type'; readonly command: string }
  | { readonly do: 'save'; readonly path: string; readonly code: string }

/** One line of text or one block of code. */
const BLOCK = /^```(\w*)\n([\s\S]*?)^```$|^(.+)$/gm

/**
 * The steps of a section: every line of its `sh` blocks, and every other block of code, to be saved in the file that the
 * words right before it end with: "…, is `agent.js`:".
 *
 * @throws Error when a block of code is for no file, because then nobody could follow the guide.
 */
export function stepsOf(path: string, heading: string): Step[] {
  const section = readPage(path)
    .text.split(/^## /m)
    .find((text) => text.startsWith(`${heading}\n`))
  if (section === undefined) throw new Error(`${path} has no section "${heading}".`)
  let before = ''
  return [...section.matchAll(BLOCK)].flatMap(([, language, code, words]): Step[] => {
    if (code === undefined) {
      before = words ?? ''
      return []
    }
    if (language === 'sh')
      return code.split('\n').flatMap((command): Step[] => (command === '' ? [] : [{ do: 'type', command }]))
    const [, file] = /`([^`]+)`:$/.exec(before) ?? []
    if (file === undefined)
      throw new Error(`${path} shows code under "${heading}" and does not say which file it is:\n${code}`)
    return [{ do: 'save', path: file, code }]
  })
}
