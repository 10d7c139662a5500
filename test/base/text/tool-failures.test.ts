import { describe, expect, it } from 'vitest'
import { TOOL_FAILURES, toolFailureOf, unknownTool } from '../../../src/base/text/tool-failures.ts'

describe('toolFailureOf', () => {
  it('knows each sentence that models get in place of a result', () => {
    expect(Object.values(TOOL_FAILURES).map(toolFailureOf)).toEqual(Object.keys(TOOL_FAILURES))
    expect(toolFailureOf(unknownTool('mail', ['search']))).toBe('unknownTool')
  })

  it('knows no other text, not even one that contains a sentence', () => {
    for (const text of ['', 'failed', 'the tool failed.', 'The tool failed. Try again.', 'There is no tool for that.'])
      expect(toolFailureOf(text)).toBeUndefined()
  })
})

describe('the sentences', () => {
  it('stay the same on the wire, whatever the language of the page', () => {
    expect(TOOL_FAILURES).toEqual({
      failed: 'The tool failed.',
      badInput: 'The input is not JSON.',
      badResult: 'The tool has run, but its result is not valid JSON.',
      unknownTool: 'There is no such tool.',
      notAllowed: 'It was not allowed.',
      refused: 'The user did not allow it.',
      denied: 'The call was denied.',
      declined: 'The user declined.',
    })
    expect(unknownTool('a"b', ['x', 'y'])).toBe(String.raw`There is no tool "a\"b". The tools are: x, y.`)
  })
})
