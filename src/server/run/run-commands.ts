import { AgentError, isAgentError } from '../../base/agent-error.ts'
import type { Said } from '../../protocols/cap/presentation/prompt-schema.ts'
import type { CommandHandler, RunCommand, RunEndReason, RunReply } from '../event-log/run-command.ts'
import type { OpenInbox } from './run-inbox.ts'
import type { RunPrompts } from './run-prompts.ts'
import type { RunStop } from './run-stop.ts'
import type { RunWriter } from './run-writer.ts'

/** How a run ended; undefined when its log could not be completed. */
export type AgentRunEnd = Extract<RunEndReason, 'finished' | 'cancelled' | 'failed' | 'unconfirmed'> | undefined

export interface RunCommandsOptions {
  readonly writer: Pick<RunWriter, 'note'>
  readonly stop: RunStop
  readonly prompts: RunPrompts
  readonly inbox: OpenInbox
  /** Resolves when the log is closed. Never rejects. */
  readonly ended: Promise<AgentRunEnd>
}

/** Carries out the commands of the user for one run, each id once. */
export function createRunCommands({ writer, stop, prompts, inbox, ended }: RunCommandsOptions): CommandHandler {
  const said = new Map<string, Promise<RunReply>>()

  const endReply = async (): Promise<RunReply> => {
    const how = await ended
    return how === undefined ? { result: 'unavailable' } : { result: 'over', ended: how }
  }

  const cancel = async (): Promise<RunReply> => {
    stop.abort(runCancelled())
    return (await ended) === 'cancelled' ? { result: 'accepted' } : endReply()
  }

  const write = async (messageId: string, text: string): Promise<RunReply> => {
    if (prompts.has(messageId)) return { result: 'invalid', errors: [{ path: '/message_id', message: 'Is in use.' }] }
    if (stop.aborted) return endReply()
    try {
      const data: Said = { text, message_id: messageId }
      const written = writer.note({ kind: 'event', type: 'SAID', data, id: messageId })
      if (written === undefined) return await endReply()
      await written
    } catch (error) {
      const tooLarge = isAgentError(error) && error.code === 'response_too_large'
      return { result: tooLarge ? 'too-large' : 'unavailable' }
    }
    inbox.add({ messageId, text })
    return { result: 'accepted' }
  }

  const say = async ({ messageId, text }: Extract<RunCommand, { name: 'say' }>): Promise<RunReply> => {
    const known = said.get(messageId)
    if (known !== undefined) return known
    const written = write(messageId, text)
    said.set(messageId, written)
    const reply = await written
    // A command that was not logged may be repeated.
    if (reply.result !== 'accepted') said.delete(messageId)
    return reply
  }

  return async (command) => {
    switch (command.name) {
      case 'cancel':
        return cancel()
      case 'answer':
        return prompts.answer(command)
      case 'say':
        return say(command)
    }
  }
}

const CANCELLED = 'cancelled'

/** Why a run was aborted that the user has cancelled. */
function runCancelled(): AgentError {
  return new AgentError({
    kind: 'runtime',
    code: 'agent_error',
    severity: 'FATAL',
    agentCode: CANCELLED,
    message: 'The user cancelled this run.',
  })
}

/** Whether it is the reason of a run that the user has cancelled. */
export function isRunCancelled(reason: unknown): boolean {
  return isAgentError(reason) && reason.agentCode === CANCELLED
}
