import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { MockInstance } from 'vitest'
import { uniqueMessages } from '../../src/state/conversation.ts'

let warned: MockInstance<typeof console.warn>

beforeEach(() => {
  warned = vi.spyOn(console, 'warn').mockReturnValue()
})

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const listOf = (...ids: readonly string[]): readonly { readonly id: string; readonly place: number }[] =>
  ids.map((id, place) => ({ id, place }))

describe('uniqueMessages', () => {
  it('gives the list itself where all ids differ', () => {
    const list = listOf('a', 'b', 'c')
    expect(uniqueMessages(list)).toBe(list)
    expect(warned).not.toHaveBeenCalled()
  })

  it('keeps the last message of each id in its place, and warns of the first repeated id', () => {
    expect(uniqueMessages(listOf('u1', 'a1', 'u2', 'a1', 'u1')).map(({ place }) => place)).toEqual([2, 3, 4])
    expect(warned.mock.calls.flat()).toEqual([
      'capstan: Several messages of one history have the id "u1", so only the last of them is shown. Give each message an id of its own.',
    ])
  })

  it('keeps an object once that is in the list twice', () => {
    const [message] = listOf('twice')
    expect(uniqueMessages([message, message].flatMap((each) => each ?? []))).toEqual([message])
  })

  it('does not warn in production', () => {
    vi.stubEnv('NODE_ENV', 'production')
    expect(uniqueMessages(listOf('x', 'x'))).toHaveLength(1)
    expect(warned).not.toHaveBeenCalled()
  })
})
