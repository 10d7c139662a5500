import { expect, it } from 'vitest'
import { answerInterrupts } from '../../../../src/protocols/ag-ui/client/answers.ts'
import type { HistoryMessage } from '../../../../src/seam/chat-input.ts'
import type { Prompt } from '../../../../src/seam/prompt.ts'
import { promptOf } from '../../../support/prompts.ts'

const subject = { name: 'locate', input: {}, digest: 'd1' }

/** An answer in which a tool of the page asked for a value, and the user gave it. */
const given = (runId: string, toolCallId: string, value: string): HistoryMessage => {
  const prompt: Prompt = promptOf({
    id: `${runId}/${toolCallId}`,
    streamId: runId,
    state: 'answered',
    subject: { ...subject, toolCallId },
    answer: { type: 'value', value },
  })
  return { id: runId, role: 'assistant', parts: [{ type: 'prompt', id: prompt.id, prompt }] }
}

it('answers the interrupts of the last run alone: what was said to earlier runs is not sent again', () => {
  const history = [given('run-1', 'c1', 'Bern'), given('run-2', 'c2', 'Basel')]
  const { results, answered } = answerInterrupts({ threadId: 't', runId: 'run-2', messages: [] }, [], history)
  expect(results).toMatchObject([{ toolCallId: 'c2', content: 'Basel' }])
  expect(answered).toEqual({ c2: 'allowed' })
})
