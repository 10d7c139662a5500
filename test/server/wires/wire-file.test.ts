import { expect, it } from 'vitest'
import { fileOf } from '../../../src/server/wires/wire-file.ts'

it.each([
  ['data:image/png;base64,AAAA', { data: 'AAAA', mimeType: 'image/png' }],
  ['DATA:text/plain;charset=utf-8;BASE64,SGk=', { data: 'SGk=', mimeType: 'text/plain' }],
  ['data:text/plain,H%C3%B6he', { data: Buffer.from('Höhe').toString('base64'), mimeType: 'text/plain' }],
  ['data:,100%', { data: Buffer.from('100%').toString('base64') }],
  ['data:text/plain;base64,a\nb', { data: 'a\nb', mimeType: 'text/plain' }],
  ['https://files.test/a', { id: 'https://files.test/a' }],
  ['file-1', { id: 'file-1' }],
  ['', undefined],
  [7, undefined],
])('reads %j', (id, expected) => {
  expect(fileOf({ id }, {})).toEqual(expected)
})

it('takes the description of the part over that of a data URL', () => {
  const described = { name: 'a.md', mimeType: 'text/markdown' }
  expect(fileOf({ id: 'data:text/plain;base64,SGk=' }, described)).toEqual({ data: 'SGk=', ...described })
})
