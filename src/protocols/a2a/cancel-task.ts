import { read } from '../../base/format/shape.ts'
import type { Command, CommandResult } from '../../seam/command.ts'
import type { A2ATransport } from './a2a-transport.ts'
import { codeOf, createA2AError, RPC } from './errors.ts'
import { findTask } from './find-task.ts'
import { readHandle } from './handle.ts'
import { TASK } from './messages.ts'
import type { Task } from './messages.ts'
import { isTerminal, taskStatusOf } from './task-state.ts'

const NO_COMMAND: ReadonlySet<string | undefined> = new Set([RPC.unsupportedOperation, RPC.methodNotFound])

const NOT_THERE = {
  kind: 'runtime',
  code: 'not_found',
  severity: 'TRANSIENT',
  message: 'The agent has no task for this message, or not yet.',
} as const

const NOT_YET = {
  kind: 'connection',
  code: 'timeout',
  severity: 'TRANSIENT',
  message: 'The agent has received the cancellation, and the task has not ended yet.',
} as const

/**
 * Commands of A2A: a cancel is CancelTask. A sign-in prompt takes no answer, since the agent continues on its own; a user who does not want to
 * sign in cancels the task. There are no others.
 *
 * @throws AgentError when it is not known what became of it
 */
export async function sendA2ACommand(
  transport: A2ATransport,
  command: Command,
  signal: AbortSignal,
): Promise<CommandResult> {
  if (command.type === 'answer' && command.answer.type === 'done') return { result: 'accepted' }
  const isNo = command.type === 'answer' && (command.answer.type === 'decline' || command.answer.type === 'cancel')
  if (command.type !== 'cancel' && !isNo) return { result: 'unsupported' }
  const id =
    readHandle(command.handle).taskId ?? (await findTask(transport, { messageId: command.requestId }, signal))?.id
  // A cancel may overtake the message it is about.
  if (id === undefined) throw createA2AError(NOT_THERE)
  try {
    const task = read(TASK, await transport.cancelTask({ id }, { signal }), 'task')
    if (isOver(task)) return { result: 'accepted' }
  } catch (error) {
    const code = codeOf(error)
    if (NO_COMMAND.has(code)) return { result: 'unsupported' }
    if (code !== RPC.taskNotCancelable) throw error
    // The error has no state, and agents also give it to tasks that continue.
    const task = read(TASK, await transport.getTask({ id, historyLength: 0 }, { signal }), 'task')
    return isOver(task) ? { result: 'too-late' } : { result: 'unsupported' }
  }
  // The agent has begun to cancel, and says so again when it has done it.
  throw createA2AError(NOT_YET)
}

function isOver({ status }: Task): boolean {
  return isTerminal(taskStatusOf(status))
}
