import { ENTITIES } from './entities.ts'

const STEPS = '| !#$%&()*'

/** Alphabets of mathematics, by the end of their names; where a letter is older than they are the table has its name. */
const ALPHABETS = { scr: 0x1D49C, fr: 0x1D504, opf: 0x1D538 }
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

let names: Map<string, string> | undefined

function unpack(): Map<string, string> {
  const table = new Map([['fjlig', 'fj']])
  const [single = '', double = ''] = ENTITIES.split('\n')
  let code = 0
  for (const [, far, step = '', name = ''] of single.matchAll(/(?:\.(\d+)\.|(\W))(\w+)/g)) {
    code += far === undefined ? STEPS.indexOf(step) : Number(far)
    const text = String.fromCodePoint(code)
    table.set(name, text)
    // `&Auml;` tells what `&auml;` is; two have no such sister.
    if (/^(?!Gcedil|Idot)[A-Z][^A-Z]/.test(name) && text.toLowerCase() !== text) table.set(name.charAt(0).toLowerCase() + name.slice(1), text.toLowerCase())
  }
  for (const [, name = '', text = ''] of double.matchAll(/(\w+)(\W+)/g)) table.set(name, text)
  for (const [end, start] of Object.entries(ALPHABETS)) {
    for (const [at, letter] of Array.from(LETTERS).entries()) {
      if (!table.has(letter + end)) table.set(letter + end, String.fromCodePoint(start + at))
    }
  }
  return table
}

/** What `&name;` or `&#number;` stands for; undefined when there is no such name. */
export function decodeEntity(entity: string): string | undefined {
  const [, hex, decimal] = /^&#(?:x([\da-f]+)|(\d+));$/i.exec(entity) ?? []
  if (hex === undefined && decimal === undefined) return (names ??= unpack()).get(entity.slice(1, -1))
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  return code === 0 || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF) ? '\uFFFD' : String.fromCodePoint(code)
}
