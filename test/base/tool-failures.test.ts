import { describe, expect, it } from 'vitest'
import * as failures from '../../src/base/tool-failures.ts'

const { shownFailure, unknownTool } = failures
const WORDS = { failed: 'F', badResult: 'R', declined: 'D' }

describe('shownFailure', () => {
  it('replaces each sentence that models get in place of a result', () => {
    const shown = Object.entries(failures).flatMap(([name, text]) =>
      typeof text === 'string' ? [[`${name}: ${text}`, shownFailure(text, WORDS)]] : [],
    )
    expect(Object.fromEntries(shown)).toEqual({
      'TOOL_FAILED: The tool failed.': 'F',
      'BAD_RESULT: The tool has run, but its result is not valid JSON.': 'R',
      'BAD_INPUT: The input is not JSON.': 'F',
      'NOT_ALLOWED: It was not allowed.': 'D',
      'USER_REFUSED: The user did not allow it.': 'D',
      'USER_DECLINED: The user declined.': 'D',
      'CALL_DENIED: The call was denied.': 'D',
    })
    expect(unknownTool('a"b', ['x', 'y'])).toBe(String.raw`There is no tool "a\"b". The tools are: x, y.`)
    expect(shownFailure(unknownTool('a"b', ['x', 'y']), WORDS)).toBe('F')
  })

  it('leaves any other text alone, even one that contains a sentence', () => {
    for (const text of ['', 'failed', 'the tool failed.', 'The tool failed. Try again.', 'There is no tool for that.'])
      expect(shownFailure(text, WORDS)).toBe(text)
  })
})
