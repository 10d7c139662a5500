import { describe, expect, expectTypeOf, it } from 'vitest'
import { isAnything, isBoolean, isList } from '../../../src/base/guards.ts'
import type { MessagesOf } from '../../../src/base/format/member-table.ts'
import { parseTyped, readMembers } from '../../../src/base/format/member-table.ts'
import { ValidationError } from '../../../src/base/format/validation-error.ts'

const ROW = 'id text? place~ items* isDone?'
const KINDS = { isDone: isBoolean, 'items*': isList, text: isAnything }

function read(message: Record<string, unknown>): { readonly found: object; readonly invalid: readonly unknown[] } {
  const invalid: unknown[] = []
  const found = readMembers({ ...message, type: 't' }, ROW, KINDS, (...each) => invalid.push(each))
  return { found, invalid }
}

describe('a row of a member table', () => {
  it('gives the type of its messages', () => {
    type Message = MessagesOf<{ readonly t: typeof ROW; readonly empty: '' }, typeof KINDS>
    expectTypeOf<Extract<Message, { type: 't' }>>().toExtend<{
      readonly id: string
      readonly text?: unknown
      readonly place?: string | undefined
      readonly items: readonly unknown[]
      readonly isDone?: boolean | undefined
    }>()
    expectTypeOf<{ type: 't'; id: string }>().not.toExtend<Message>()
    expectTypeOf<{ type: 'empty' }>().toExtend<Message>()
  })

  it('copies its valid members and ignores others', () => {
    const { found, invalid } = read({ type: 'other', id: '1', place: 'x', items: [], isDone: false, more: 1 })
    expect(found).toStrictEqual({ type: 't', id: '1', place: 'x', items: [], isDone: false })
    expect(invalid).toEqual([['text', 'text?']])
  })

  it('reports members that are absent, null or of another kind, and their words', () => {
    const { found, invalid } = read({ id: null, text: null, place: 3, items: {}, isDone: 'yes' })
    expect(found).toStrictEqual({ type: 't', text: null })
    expect(invalid).toEqual([
      ['id', 'id'],
      ['place', 'place~'],
      ['items', 'items*'],
      ['isDone', 'isDone?'],
    ])
  })
})

describe('parseTyped', () => {
  it.each([
    ['{', 'an event is not JSON'],
    ['[]', 'an event is not an object'],
    ['{"type":3}', 'an event has no type'],
  ])('refuses %s', (data, message) => {
    expect(() => parseTyped(data, 'an event')).toThrow(new ValidationError(message))
  })
})
