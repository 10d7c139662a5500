import { describe, expect, it } from 'vitest'
import { foldTask } from '../../../src/protocols/a2a/fold-task.ts'
import type { StreamResponse, Task } from '../../../src/protocols/a2a/messages.ts'

const fold = (...responses: readonly StreamResponse[]): Task | undefined =>
  responses.reduce<Task | undefined>((known, response) => foldTask('t', known, response), undefined)

const status = (state: string): StreamResponse => ({ statusUpdate: { taskId: 't', contextId: 'c', status: { state } } })
const piece = (text: string, change: object = {}): StreamResponse => ({
  artifactUpdate: { taskId: 't', artifact: { artifactId: 'a', parts: [{ text }] }, ...change },
})
const TASK: Task = {
  id: 't',
  contextId: 'c',
  status: { state: 'TASK_STATE_WORKING' },
  artifacts: [{ artifactId: 'a', parts: [{ text: 'A0 ' }, { text: 'A1 ' }] }],
}

describe('a task, event by event', () => {
  it('is replaced by a task, whose text is one part, and grows by what follows', () => {
    expect(fold(piece('old'), { task: TASK }, piece('A2', { append: true }))).toEqual({
      ...TASK,
      artifacts: [{ artifactId: 'a', parts: [{ text: 'A0 A1 A2' }] }],
    })
  })

  it('has its artifact replaced where an update does not append, in its place', () => {
    const other = { artifactUpdate: { taskId: 't', artifact: { artifactId: 'b', parts: [{ text: 'B' }] } } }
    const task = fold({ task: TASK }, other, piece('Final'))
    expect(task?.artifacts?.map(({ artifactId, parts }) => [artifactId, parts[0]?.text])).toEqual([
      ['a', 'Final'],
      ['b', 'B'],
    ])
  })

  it('takes an update that appends to nothing as a beginning', () => {
    expect(fold({ task: { ...TASK, artifacts: undefined } }, piece('A', { append: true }))?.artifacts).toHaveLength(1)
  })

  it('is known by its updates alone until the task comes', () => {
    expect(fold(piece('A'))).toMatchObject({ id: 't', status: { state: 'TASK_STATE_UNSPECIFIED' } })
    expect(fold(status('TASK_STATE_WORKING'))).toEqual({
      id: 't',
      contextId: 'c',
      status: { state: 'TASK_STATE_WORKING' },
    })
  })

  it('ignores other tasks, messages and earlier updates', () => {
    const known = fold({ task: TASK })
    const message = { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [] } }
    expect(foldTask('t', known, { task: { ...TASK, id: 'other' } })).toBe(known)
    expect(foldTask('t', known, message)).toBe(known)
    expect(foldTask('t', known, { statusUpdate: { taskId: 'other', status: { state: 'x' } } })).toBe(known)
    foldTask('t', known, piece('A2', { append: true }))
    expect(known?.artifacts?.[0]?.parts).toEqual([{ text: 'A0 A1 ' }])
  })
})
