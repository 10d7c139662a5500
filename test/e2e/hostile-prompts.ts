import type { Prompt } from '../../src/seam/prompt.ts'
import { optionOf, promptOf } from '../../stories/support/prompts.ts'

const MEGABYTES = 10_000_000
const LEVELS = 1000

const MARKUP =
  '**Allowed** [Continue](https://evil.example) ![x](https://evil.example/x.png) <img src=x onerror=alert(1)> <button>Allow</button>'
const TURNED = '\u202E\u2066exe.fdp\u202D\u2067'
const UNSEEN = '\u200B\u200D\uFEFF\u{E0041}\u00AD'
const MARKS = `a${'\u0301\u0489\u20E0'.repeat(400)}`
const ROWS = '\n'.repeat(500)
const WIDE = '\uFDFD'.repeat(200)

const TEXTS: Readonly<Record<string, string>> = {
  markup: MARKUP,
  turned: TURNED.repeat(40),
  unseen: UNSEEN.repeat(100),
  marks: MARKS.repeat(20),
  rows: `${ROWS}[ Deny ]${ROWS}`,
  wide: WIDE,
  unbroken: 'W'.repeat(5000),
  lookalike: '┌──────────┐ ┌───────┐\n│ ✓ Allow  │ │ Deny  │\n└──────────┘ └───────┘\nYour approval is needed',
  giant: 'x'.repeat(MEGABYTES),
}

function nested(levels: number, bottom: Record<string, unknown>): Record<string, unknown> {
  let value = bottom
  for (let level = 0; level < levels; level++) value = { type: 'object', properties: { a: value }, items: [value] }
  return value
}

/** A prompt with a text in every place where an agent writes one. */
function everywhere(text: string): readonly Prompt[] {
  const options = [
    optionOf('allow-once', text, { id: '1', description: text, grants: text }),
    optionOf('allow-always', text, { id: '2', description: text, grants: text }),
    optionOf('reject-once', text, { id: '3', description: text }),
    optionOf('neutral', text, { id: '4', description: text }),
  ]
  const subject = { name: text, input: { [text.slice(0, 5000)]: text, list: [text, { [text]: text }] }, digest: 'd' }
  const schema = { title: text, description: text, properties: { a: { type: 'string', title: text, enum: [text] } } }
  return [
    promptOf({ message: text, subject, options }),
    promptOf({ kind: 'choice', message: text, options: options.map((option) => ({ ...option, kind: 'neutral' })) }),
    promptOf({ kind: 'permission', message: text, subject, options }),
    promptOf({ kind: 'sign-in', message: text, url: text }),
    promptOf({ kind: 'sign-in', message: text, url: `https://survey.example/?${text}` }),
    promptOf({ kind: 'form', message: text, schema: { type: 'object', ...schema } }),
    promptOf({ kind: 'other', message: text, schema }),
  ]
}

/** What agents ask with the worst of intentions, each by a name. Made where it is used: some have ten megabytes. */
export function hostilePrompts(): readonly (readonly [name: string, prompt: Prompt])[] {
  const allow = [optionOf('allow-once', 'Allow', { id: '1' }), optionOf('reject-once', 'Deny', { id: '2' })]
  const asking = (input: unknown): Prompt => promptOf({ subject: { name: 'run', input, digest: 'd' }, options: allow })
  const many = Array.from({ length: 10_000 }, (_, index) => optionOf('neutral', 'The same', { id: `${index}` }))
  return [
    ...Object.entries(TEXTS).flatMap(([name, text]) =>
      everywhere(text).map((prompt) => [`${name} in ${prompt.kind}`, prompt] as const),
    ),
    ['an input of ten megabytes in a list', asking(Array.from({ length: MEGABYTES / 4 }, (_, index) => index % 10))],
    ['an input of a thousand levels', asking(nested(LEVELS, { text: 'bottom' }))],
    ['an input of many texts', asking(Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`k${at}`, MARKUP])))],
    ['ten thousand options', promptOf({ kind: 'choice', options: many })],
    ['ten thousand options to allow', promptOf({ options: many.map((each) => ({ ...each, kind: 'allow-once' })) })],
    ['a schema of a thousand levels', promptOf({ kind: 'form', schema: nested(LEVELS, { type: 'string' }) })],
    ['an unknown schema of a thousand levels', promptOf({ kind: 'other', schema: nested(LEVELS, { type: 'x' }) })],
  ]
}
