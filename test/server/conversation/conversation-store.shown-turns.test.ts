import { describe, expect, it } from 'vitest'
import { type ConversationTurn, newestTurns, shownTurns } from '../../../src/server/conversation/conversation-store.ts'

const turn = (id: string, after?: string, replaces: readonly string[] = []): ConversationTurn => ({
  id,
  ...(after !== undefined && { after }),
  replaces,
  text: id,
  at: 0,
})
const ids = (turns: readonly ConversationTurn[]): string => turns.map(({ id }) => id).join(' ')

describe('the turns that a page shows before a request', () => {
  const edited = [turn('a'), turn('b', 'a'), turn('c', 'b'), turn('b2', 'a', ['b', 'c']), turn('d', 'b2')]

  it.each<[string, readonly ConversationTurn[], string | undefined, readonly string[], string]>([
    ['the first request', [], undefined, [], ''],
    ['a request in a row', [turn('a'), turn('b', 'a')], 'b', [], 'a b'],
    ['one behind an edit', edited, 'd', [], 'a b2 d'],
    ['an edit of the second message', edited.slice(0, 3), 'a', ['b', 'c'], 'a'],
    ['an edit of the first message', edited.slice(0, 3), undefined, ['a', 'b', 'c'], ''],
    ['a message behind an edit of the first', [turn('a'), turn('a2', undefined, ['a'])], 'a2', [], 'a2'],
    ['a client that says nothing', [turn('a'), turn('b')], undefined, [], 'a b'],
    ['a client that says nothing after one that did', edited, undefined, [], 'a b2 d'],
    ['a request behind one that is not stored', [turn('a'), turn('b', 'a')], 'lost', ['b'], 'a'],
    ['a request behind a later one that follows it', [turn('a', 'b'), turn('b', 'a')], 'b', [], 'a b'],
  ])('are those of its branch for %s', (_, turns, after, replaces, expected) => {
    expect(ids(shownTurns(turns, { after, replaces }))).toBe(expected)
  })

  it('are for a page that opens the conversation those of the newest branch', () => {
    expect(ids(newestTurns(edited))).toBe('a b2 d')
    expect(ids(newestTurns(edited.slice(0, 4)))).toBe('a b2')
    expect(ids(newestTurns([]))).toBe('')
  })
})
