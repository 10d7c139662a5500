import { ENTITIES } from './entities.ts'
import type { EntityNames } from './rare-syntax.ts'

const STEPS = '| !#$%&()*'

/** Alphabets of mathematics, by the end of their names; where a letter is older than they are the table has its name. */
const ALPHABETS = { scr: 0x1d49c, fr: 0x1d504, opf: 0x1d538 }
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** All names of characters that HTML has. */
export function readAllNames(): EntityNames {
  const table = new Map([['fjlig', 'fj']])
  const [single = '', double = ''] = ENTITIES.split('\n')
  let code = 0
  for (const [, far, step = '', name = ''] of single.matchAll(/(?:\.(\d+)\.|(\W))(\w+)/g)) {
    code += far === undefined ? STEPS.indexOf(step) : Number(far)
    const text = String.fromCodePoint(code)
    table.set(name, text)
    // The lower-case name `&auml;` is derived from `&Auml;`; two names have no lower-case form.
    if (/^(?!Gcedil|Idot)[A-Z][^A-Z]/.test(name) && text.toLowerCase() !== text)
      table.set(name.charAt(0).toLowerCase() + name.slice(1), text.toLowerCase())
  }
  for (const [, name = '', text = ''] of double.matchAll(/(\w+)(\W+)/g)) table.set(name, text)
  for (const [end, start] of Object.entries(ALPHABETS)) {
    for (const [at, letter] of Array.from(LETTERS).entries()) {
      if (!table.has(letter + end)) table.set(letter + end, String.fromCodePoint(start + at))
    }
  }
  return table
}
