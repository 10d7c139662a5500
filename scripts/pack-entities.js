import { writeFileSync } from 'node:fs'
import { characterEntities } from 'character-entities'

// Writes src/markdown/inline/entities.ts: the names of HTML, sorted by what they stand for, so that a name costs little more than
// its letters once it is gzipped. Before each name stands how far its code point is from the one before it: one of STEPS for a
// short way, `.` and the number in base 36 and `:` for a long one. After a line end: names that stand for two characters, each
// followed by them.

const STEPS = '| !#$%&()*'
/** Stands for two letters, so that nothing would tell where its name ends: decode-entity.ts knows it. */
const LETTERS = 'fjlig'
const { compare } = new Intl.Collator('en')

const all = Object.entries(characterEntities).map(([name, text]) => ({ name, text, codes: Array.from(text, (char) => char.codePointAt(0)) }))
const single = all.filter(({ codes }) => codes.length === 1).toSorted((a, b) => a.codes[0] - b.codes[0] || b.name.length - a.name.length || compare(a.name, b.name))
const double = all.filter(({ codes, name }) => codes.length > 1 && name !== LETTERS).toSorted((a, b) => a.codes[0] - b.codes[0] || a.codes[1] - b.codes[1] || compare(a.name, b.name))

let packed = ''
let before = 0
for (const { name, codes: [code] } of single) {
  packed += (STEPS[code - before] ?? `.${(code - before).toString(36)}:`) + name
  before = code
}
packed += `\n${double.map(({ name, text }) => name + text).join('')}`

const escaped = packed.replace('\n', '\\n').replace(/[^\n -~]/gu, (char) => Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''))
const source = `/** The ${all.length} names of HTML for characters, written by scripts/pack-entities.js and read by decode-entity.ts. */\nexport const ENTITIES = '${escaped.replaceAll('\'', '\\\'')}'\n`
writeFileSync(new URL('../src/markdown/inline/entities.ts', import.meta.url), source)
