import type { Command, CommandResult } from '../command.ts'
import type { A2ATransport } from './a2a-transport.ts'
import { codeOf, createA2AError, RPC } from './errors.ts'
import { findTask } from './find-task.ts'
import { readHandle } from './handle.ts'

const RESULTS: Readonly<Record<string, CommandResult>> = {
  [RPC.taskNotCancelable]: { result: 'too-late' },
  [RPC.taskNotFound]: { result: 'too-late' },
  [RPC.unsupportedOperation]: { result: 'unsupported' },
  [RPC.methodNotFound]: { result: 'unsupported' },
}

const NOT_THERE = {
  kind: 'runtime',
  code: 'not_found',
  severity: 'TRANSIENT',
  message: 'The agent has no task for this message, or not yet.',
} as const

/**
 * Commands of A2A: a cancel is CancelTask. A prompt to sign in takes no answer, as the agent goes on by itself; who does not want to
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
    await transport.cancelTask({ id }, { signal })
    return { result: 'accepted' }
  } catch (error) {
    const result = RESULTS[codeOf(error) ?? '']
    if (result === undefined) throw error
    return result
  }
}
