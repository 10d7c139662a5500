import { describe, expect, it } from 'vitest'
import { captionsWithRoom } from '../../../../playground/src/inspector/captions.ts'

describe('captions', () => {
  it('leaves out those that would cover a more telling one, and keeps all between the edges', () => {
    const at = (x: number, text: string) => ({ x, text, anchor: 'middle', tone: 'plain' }) as const
    expect(captionsWithRoom([at(50, 'first'), at(55, 'second'), at(199, 'third')], 0, 200)).toMatchObject([
      { text: 'first' },
      { text: 'third', x: 169 },
    ])
  })
})
