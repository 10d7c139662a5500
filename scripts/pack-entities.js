import { writeFileSync } from 'node:fs'
import { characterEntities } from 'character-entities'

// Writes src/markdown/inline/entities.ts: the names of HTML, sorted by what they stand for, so that a name costs little more than
// its letters once it is gzipped. Before each name is how far its code point is from the one before it: one of STEPS for a
// short way, `.` and the number for a long one, with `.` again. After a line end: names that stand for two characters, each
// followed by them. What all-entities.ts can tell by itself is left out: small letters whose capital is there, and the alphabets
// of mathematics.

const STEPS = '| !#$%&()*'
/** Stands for two letters, so that nothing would tell where its name ends: all-entities.ts knows it. */
const LETTERS = 'fjlig'
const { compare } = new Intl.Collator('en')

const ALPHABETS = { scr: 0x1d49c, fr: 0x1d504, opf: 0x1d538 }
const LETTERS_OF_ALPHABETS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** @returns {boolean} */
function isTold(name, text) {
  const capital = name[0].toUpperCase() + name.slice(1)
  if (
    capital !== name &&
    /^.[^A-Z]/.test(name) &&
    characterEntities[capital]?.toLowerCase() === text &&
    characterEntities[capital] !== text
  )
    return true
  const start = ALPHABETS[name.slice(1)]
  return start !== undefined && text.codePointAt(0) === start + LETTERS_OF_ALPHABETS.indexOf(name[0])
}

const all = Object.entries(characterEntities)
  .filter(([name, text]) => !isTold(name, text))
  .map(([name, text]) => ({ name, text, codes: Array.from(text, (char) => char.codePointAt(0)) }))
const single = all
  .filter(({ codes }) => codes.length === 1)
  .toSorted((a, b) => a.codes[0] - b.codes[0] || b.name.length - a.name.length || compare(a.name, b.name))
const double = all
  .filter(({ codes, name }) => codes.length > 1 && name !== LETTERS)
  .toSorted((a, b) => a.codes[0] - b.codes[0] || a.codes[1] - b.codes[1] || compare(a.name, b.name))

let packed = ''
let before = 0
for (const {
  name,
  codes: [code],
} of single) {
  packed += (STEPS[code - before] ?? `.${code - before}.`) + name
  before = code
}
packed += `\n${double.map(({ name, text }) => name + text).join('')}`

const escaped = packed
  .replace('\n', '\\n')
  .replace(/[^\n -~]/gu, (char) =>
    Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )
const source = `/** The names of HTML for characters, written by scripts/pack-entities.js and read by all-entities.ts. */\nexport const ENTITIES = '${escaped.replaceAll("'", "\\'")}'\n`
writeFileSync(new URL('../src/markdown/inline/entities.ts', import.meta.url), source)
