import { describe, expect, it } from 'vitest'
import { readHosts } from '../../../../playground/src/settings/settings.ts'

describe('allowed media hosts', () => {
  it('are read apart by spaces and commas', () => {
    expect(readHosts(' cdn.example, *.pictures.example\n127.0.0.1:8080')).toEqual({
      hosts: ['cdn.example', '*.pictures.example', '127.0.0.1:8080'],
    })
    expect(readHosts('')).toEqual({ hosts: [] })
  })

  it.each(['https://cdn.example', 'cdn.example/pictures', '*', 'a..b', '*.*.example'])(
    'are refused with the word that is wrong: %s',
    (text) => {
      expect(readHosts(`good.example ${text}`)).toMatchObject({ problem: expect.stringContaining(text) as unknown })
    },
  )
})
