import { describe, expect, it } from 'vitest'
import { createAnswerIds } from '../../../../src/protocols/arcp/ledger/seen-ids.ts'

describe('the ids of messages that carry answers', () => {
  it('are the same for the same answer, and made once', () => {
    const idOf = createAnswerIds()
    let made = 0
    const make = (): string => `msg_${(made += 1)}`
    expect([idOf('a', make), idOf('b', make), idOf('a', make)]).toEqual(['msg_1', 'msg_2', 'msg_1'])
    expect(made).toBe(2)
  })

  it('are forgotten in the order in which they were made, the last thousand are kept', () => {
    const idOf = createAnswerIds()
    for (let answer = 0; answer <= 1_000; answer += 1) idOf(`answer ${answer}`, () => `msg_${answer}`)
    expect(idOf('answer 1', () => 'new')).toBe('msg_1')
    expect(idOf('answer 0', () => 'new')).toBe('new')
  })
})
