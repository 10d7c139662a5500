import { expect, it } from 'vitest'
import { createFairMemory } from '../../../src/runtime/session/quota.ts'

it('forgets the oldest entry of the owner with the most', () => {
  const memory = createFairMemory(10)
  const forgotten: unknown[] = []
  const add = (owner: string, id: string): void => void forgotten.push(memory.add(owner, id))
  add('bob', 'b1')
  for (let count = 1; count <= 50; count++) add('ada', `a${count}`)
  expect(forgotten.slice(10)).toEqual(Array.from({ length: 41 }, (_, at) => `a${at + 1}`))
  for (let count = 2; count <= 5; count++) add('bob', `b${count}`)
  expect(forgotten.slice(-4)).toEqual(['a42', 'a43', 'a44', 'a45'])
  add('bob', 'b6')
  expect(forgotten.at(-1)).toBe('b1')
})

it('is bounded when each owner has one entry', () => {
  const memory = createFairMemory(3)
  const forgotten = Array.from({ length: 6 }, (_, at) => memory.add(`owner ${at}`, `id ${at}`))
  expect(forgotten.filter((id) => id !== undefined)).toHaveLength(3)
})
