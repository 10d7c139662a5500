import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeStates, readSharedState, withKnownParts } from '../../src/seam/shared-state.ts'
import { statePart } from '../../src/seam/state-part.ts'

const answerWith = (state: unknown, edit?: string): { readonly parts: readonly { readonly type: string }[] } => ({
  parts: [{ type: 'text' }, statePart(state, edit)],
})
const SAID = { parts: [{ type: 'text' }] }

describe('the shared state of a conversation', () => {
  it('is the last one that an answer has', () => {
    const messages = [SAID, answerWith(1), SAID, answerWith(2), SAID, SAID]
    expect(readSharedState(messages, undefined)).toEqual({ agent: { state: 2 }, current: { state: 2 } })
    expect(readSharedState(messages.slice(0, 3), undefined).current).toEqual({ state: 1 })
    expect(readSharedState([SAID], undefined)).toEqual({ agent: undefined, current: undefined })
  })

  it('is the state of the user until an answer has taken the edit along', () => {
    const edit = { id: 'e1', base: { a: 1, b: 1 }, value: { a: 2, b: 1 } }
    expect(readSharedState([], { id: 'e0', value: 5 }).current).toEqual({ state: 5 })
    expect(readSharedState([answerWith({ a: 1, b: 1 })], edit).current).toEqual({ state: { a: 2, b: 1 } })
    expect(readSharedState([answerWith({ a: 1, b: 3 })], edit)).toMatchObject({
      edit,
      current: { state: { a: 2, b: 3 } },
    })
    const later = [answerWith({ a: 2, b: 1 }, 'e1'), answerWith({ a: 0, b: 0 })]
    expect(readSharedState(later, edit)).toEqual({
      agent: { state: { a: 0, b: 0 } },
      current: { state: { a: 0, b: 0 } },
    })
    // The answer that took it along was cut off: it is to be sent again.
    expect(readSharedState([answerWith({ a: 1, b: 1 }), answerWith({ a: 5, b: 1 }, 'e0')], edit).edit).toBe(edit)
  })
})

const json = fc.jsonValue({ maxDepth: 3 }).map((value): unknown => JSON.parse(JSON.stringify(value)))

describe('the merge of three states', () => {
  it('takes what only one has changed, and the agent where both have', () => {
    const base = { title: 'Soup', steps: [1], note: 'x', deep: { a: 1, b: 1 } }
    const own = { title: 'Stew', steps: [1], deep: { a: 2, b: 1 } }
    const agent = { title: 'Broth', steps: [1, 2], note: 'x', deep: { a: 1, b: 2 }, added: true }
    expect(mergeStates(base, own, agent)).toEqual({
      title: 'Broth',
      steps: [1, 2],
      deep: { a: 2, b: 2 },
      added: true,
    })
  })

  it('is the one of those who changed it, for any JSON', () => {
    fc.assert(
      fc.property(json, json, (base, changed) => {
        expect(mergeStates(base, changed, base)).toEqual(changed)
        expect(mergeStates(base, base, changed)).toEqual(changed)
        expect(mergeStates(base, changed, changed)).toEqual(changed)
      }),
    )
  })

  it('is the state of the agent itself where the user has changed nothing', () => {
    const agent = { deep: { a: 2 } }
    expect(mergeStates({ deep: { a: 1 } }, { deep: { a: 1 } }, agent)).toBe(agent)
  })

  it('keeps changes of different keys by either side', () => {
    fc.assert(
      fc.property(json, json, json, json, (one, other, left, right) => {
        expect(mergeStates({ one, other }, { one: left, other }, { one, other: right })).toEqual({
          one: left,
          other: right,
        })
      }),
    )
  })

  it('reaches no prototype', () => {
    const own: unknown = JSON.parse('{"__proto__":{"polluted":true},"a":1}')
    const merged = mergeStates({ a: 0 }, own, { a: 0, b: 1 })
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})

describe('a state that came again', () => {
  it('is the object that was there, down to the part that is new', () => {
    const known = { list: [{ a: 1 }, { a: 2 }], kept: { deep: [1] } }
    expect(withKnownParts(known, structuredClone(known))).toBe(known)
    // It has the shape of the one before.
    const next = withKnownParts(known, { list: [{ a: 1 }, { a: 3 }], kept: { deep: [1] } }) as typeof known
    expect([next.kept, next.list[0]]).toEqual([known.kept, known.list[0]])
    expect(next.kept).toBe(known.kept)
    expect(next.list[0]).toBe(known.list[0])
    expect(next.list[1]).toEqual({ a: 3 })
  })

  it('equals the input, for any JSON', () => {
    fc.assert(
      fc.property(json, json, (known, next) => {
        expect(withKnownParts(known, next)).toEqual(next)
      }),
    )
  })
})
