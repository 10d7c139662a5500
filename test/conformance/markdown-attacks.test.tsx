import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { markdownEngine } from '../../src/components/markdown-block/rich-text-engine.tsx'
import { createMarkdownStream, parseMarkdown } from '../../src/markdown/parse-markdown.ts'
import type { MarkdownRoot } from '../../src/markdown/inline/tree.ts'
import { hasPlaces } from '../../src/markdown/view/places.tsx'
import { Markdown } from '../../src/markdown/view/markdown.tsx'
import { comparable } from '../markdown/stream-check.ts'
import { forbiddenIn } from './allowed-html.ts'
import type { Attack } from './attack-data.ts'
import { attackPieces, loadAttacks } from './attack-data.ts'

const attacks = loadAttacks()

/** What a check says about attacks, by their names and never by what is in them. */
function faultsOf(check: (attack: Attack) => readonly string[]): readonly string[] {
  return (attacks ?? []).flatMap((attack) => {
    try {
      return check(attack).map((fault) => `${attack.id} ${attack.name}: ${fault}`)
    } catch (error) {
      return [`${attack.id} ${attack.name}: ${String(error).slice(0, 200)}`]
    }
  })
}

const whole = new Map<Attack, MarkdownRoot>()

describe.skipIf(attacks === undefined)('hostile markdown', () => {
  it('is all there, with the whole texts', () => {
    expect(attacks).toHaveLength(1_500)
    expect(Math.max(...(attacks ?? []).map(({ payload }) => payload.length))).toBe(3_126_249)
  })

  it('is read, and loses no word', () => {
    expect(
      faultsOf((attack) => {
        const root = parseMarkdown(attack.payload)
        whole.set(attack, root)
        return lostWords(attack.payload, root)
      }),
    ).toEqual([])
  })

  it('is the same tree when it comes in pieces, whatever they are, and can be shown after each of them', () => {
    expect(
      faultsOf((attack) => {
        const stream = createMarkdownStream()
        for (const piece of attackPieces(attack.payload)) {
          stream.append(piece)
          if (stream.root.children === undefined) return ['has no tree']
        }
        stream.finish()
        return comparable(stream.root) === comparable(whole.get(attack) ?? parseMarkdown(attack.payload))
          ? []
          : ['is another tree']
      }),
    ).toEqual([])
  })

  it('makes no element and no attribute but those of text, in the plain view and in that of capstan', () => {
    expect(
      faultsOf(({ payload }) => {
        const plain = payload.length > 20_000 ? '' : renderToStaticMarkup(<Markdown text={payload} />)
        const kit = renderToStaticMarkup(<markdownEngine.Text text={payload} />)
        return [...forbiddenIn(plain), ...forbiddenIn(kit), ...(kit.includes('<img') ? ['loads a picture'] : [])]
      }),
    ).toEqual([])
  })

  it('makes none while half of it is there', () => {
    expect(
      faultsOf(({ payload }) => {
        if (payload.length > 4_000) return []
        const half = payload.slice(0, payload.length / 2)
        return forbiddenIn(
          renderToStaticMarkup(<markdownEngine.Text text={half} live tail={<b className="cs-caret" />} />).replace(
            '<b class="cs-caret"></b>',
            '',
          ),
        )
      }),
    ).toEqual([])
  })

  it('makes none around a hole in it, which is always seen', () => {
    expect(
      faultsOf(({ payload }) => {
        if (payload.length > 4_000) return []
        const html = renderToStaticMarkup(
          <markdownEngine.Text text={payload} gaps={[{ at: payload.length >> 1, after: 1, before: 3 }]} />,
        )
        const marks = html.match(/<(button|span) [^>]*cs-gap/g) ?? []
        return [
          ...forbiddenIn(html.replace(/ aria-expanded="false"| data-name="cut"/g, '')),
          ...(marks.length === 1 ? [] : [`has ${marks.length} marks`]),
          ...(hasPlaces(html) ? ['shows a place'] : []),
        ]
      }),
    ).toEqual([])
  })

  it('leaves the objects of the page as they are', () => {
    expect(Object.keys(Object.prototype)).toEqual([])
    expect({}).not.toHaveProperty('polluted')
  })
})

/** Words of the text that are nowhere in the tree: as words, code, address, title or label. */
function lostWords(text: string, root: MarkdownRoot): readonly string[] {
  const strings: string[] = []
  JSON.stringify(root, (name, value: unknown) => {
    if (typeof value === 'string' && name !== 'type') strings.push(name === 'url' ? decoded(value) : value)
    return value
  })
  const said = strings.join('').toLowerCase()
  const lost = (
    withoutDefinitions(text)
      .replace(/&(?:#\w*|\w+);?/g, ' ')
      .match(/[\p{L}\p{N}]{3,}/gu) ?? []
  ).filter((word) => !said.includes(word.toLowerCase()))
  return lost.length === 0 ? [] : [`loses ${lost.length} words, ${lost.slice(0, 5).join(' ')}`]
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url) + url
  } catch {
    return url
  }
}

/** Definitions and their labels say something only where they are named, and what a picture's words would lead to is dropped with the link in them. */
function withoutDefinitions(text: string): string {
  return text
    .replace(/^[ >]*\[[^\]\n]+\]:.*$/gm, '')
    .replace(/\]\[[^\]\n]*\]/g, ']')
    .replace(/!\[[^\]\n]*\[.*/g, (line) => line.replace(/\]\((?:[^()]|\([^()]*\))*\)/g, ']'))
}
