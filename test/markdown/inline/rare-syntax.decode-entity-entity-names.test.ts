import { characterEntities } from 'character-entities'
import { beforeEach, expect, it, vi } from 'vitest'

// What the module knows changes once: each test begins with a new one.
beforeEach(() => {
  vi.resetModules()
})

const load = async () => ({
  ...(await import('../../../src/markdown/inline/rare-syntax.ts')),
  ...(await import('../../../src/markdown/inline/rare-syntax.ts')),
})
const loadAll = async () => (await import('../../../src/markdown/all-syntax.ts')).addAllSyntax()

it('knows the common names at once, as HTML has them, and the rest of them after', async () => {
  const { characterNamed } = await load()
  const known = Object.entries(characterEntities).filter(([name]) => characterNamed(name) !== undefined)
  expect(known.length).toBeGreaterThan(60)
  expect(known.filter(([name, character]) => characterNamed(name) !== character)).toEqual([])
  await loadAll()
  const wrong = Object.entries(characterEntities).filter(([name, character]) => characterNamed(name) !== character)
  expect(wrong).toEqual([])
})

it('tells that text is to be read again where a name was not known', async () => {
  const { characterNamed, rareSyntaxVersion, subscribeToRareSyntax } = await load()
  const listener = vi.fn()
  const left = vi.fn()
  subscribeToRareSyntax(listener)
  subscribeToRareSyntax(left)()
  expect(characterNamed('CounterClockwiseContourIntegral')).toBeUndefined()
  await loadAll()
  expect(listener).toHaveBeenCalledTimes(1)
  expect(left).not.toHaveBeenCalled()
  expect(rareSyntaxVersion()).toBe(1)
  expect(characterNamed('CounterClockwiseContourIntegral')).toBe('∳')
})

it('has no text read again where every name was known', async () => {
  const { characterNamed, rareSyntaxVersion, subscribeToRareSyntax } = await load()
  const listener = vi.fn()
  subscribeToRareSyntax(listener)
  expect(characterNamed('amp')).toBe('&')
  await loadAll()
  expect(listener).not.toHaveBeenCalled()
  expect(rareSyntaxVersion()).toBe(0)
  expect(characterNamed('noSuchName')).toBeUndefined()
  expect(rareSyntaxVersion()).toBe(0)
})
