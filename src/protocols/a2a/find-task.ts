import { isJsonObject } from '../../base/json-object.ts'
import type { A2ATransport } from './a2a-transport.ts'
import { codeOf, createA2AError } from './errors.ts'
import { read, text } from '../../base/format/shape.ts'
import { TASK } from './messages.ts'
import type { Message } from './messages.ts'
import type { Task } from './messages.ts'

/** A message that may have begun a task, or continued with one. */
export type SentMessage = Pick<Message, 'messageId' | 'contextId' | 'taskId'>

/** Pages of tasks that are looked through: the newest come first. */
const MOST_PAGES = 3
const PAGE_SIZE = 50

/**
 * The task that has the message in its history, by ListTasks; of a message that names its task, by GetTask. Undefined when the agent
 * has no such task, or cannot say.
 *
 * @throws AgentError when the agent could not be asked
 */
export async function findTask(
  transport: A2ATransport,
  message: SentMessage,
  signal: AbortSignal,
): Promise<Task | undefined> {
  try {
    return message.taskId === undefined
      ? await search(transport, message, signal)
      : holder(message, [read(TASK, await transport.getTask({ id: message.taskId }, { signal }), 'task')])
  } catch (error) {
    // The agent answered that it cannot.
    if (codeOf(error) !== undefined) return undefined
    throw error
  }
}

async function search(transport: A2ATransport, message: SentMessage, signal: AbortSignal): Promise<Task | undefined> {
  let pageToken: string | undefined
  for (let page = 0; page < MOST_PAGES && transport.listTasks !== undefined; page++) {
    const { contextId } = message
    const params = { contextId, pageSize: PAGE_SIZE, pageToken, historyLength: PAGE_SIZE, includeArtifacts: false }
    const answer = await transport.listTasks(params, { signal })
    if (!isJsonObject(answer)) return undefined
    const found = holder(message, read([TASK], answer.tasks ?? [], 'tasks'))
    pageToken = text(answer.nextPageToken ?? '', 'nextPageToken')
    if (found !== undefined || !pageToken) return found
  }
  return undefined
}

function holder({ messageId }: SentMessage, tasks: readonly Task[]): Task | undefined {
  return tasks.find((task) => task.history?.some((message) => message.messageId === messageId) === true)
}

/** Nobody knows whether the agent has a message. Sending it again is for the user to decide. */
export function deliveryUnknown(): Error {
  return createA2AError({
    kind: 'connection',
    code: 'delivery_unknown',
    severity: 'FATAL',
    message:
      'The connection was lost before the agent confirmed the message, and the agent does not say that it has it. It may have arrived.',
  })
}
