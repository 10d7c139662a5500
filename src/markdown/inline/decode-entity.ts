import { ENTITIES } from './entities.ts'

const STEPS = '| !#$%&()*'

let names: Map<string, string> | undefined

function unpack(): Map<string, string> {
  const table = new Map([['fjlig', 'fj']])
  const [single = '', double = ''] = ENTITIES.split('\n')
  let code = 0
  for (const [, far, step = '', name = ''] of single.matchAll(/(?:\.(\w+):|(\W))(\w+)/g)) {
    code += far === undefined ? STEPS.indexOf(step) : Number.parseInt(far, 36)
    table.set(name, String.fromCodePoint(code))
  }
  for (const [, name = '', text = ''] of double.matchAll(/(\w+)(\W+)/g)) table.set(name, text)
  return table
}

/** What `&name;` or `&#number;` stands for; undefined when there is no such name. */
export function decodeEntity(entity: string): string | undefined {
  const [, hex, decimal] = /^&#(?:x([\da-f]+)|(\d+));$/i.exec(entity) ?? []
  if (hex === undefined && decimal === undefined) return (names ??= unpack()).get(entity.slice(1, -1))
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  return code === 0 || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF) ? '\uFFFD' : String.fromCodePoint(code)
}
