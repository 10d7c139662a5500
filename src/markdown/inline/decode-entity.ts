import { characterNamed } from './entity-names.ts'

/** What `&name;` or `&#number;` stands for; undefined when no such name is known. */
export function decodeEntity(entity: string): string | undefined {
  const [, hex, decimal] = /^&#(?:x([\da-f]+)|(\d+));$/i.exec(entity) ?? []
  if (hex === undefined && decimal === undefined) return characterNamed(entity.slice(1, -1))
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\uFFFD' : String.fromCodePoint(code)
}
