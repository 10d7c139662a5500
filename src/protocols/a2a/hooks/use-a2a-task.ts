'use client'

import { useMemo, useSyncExternalStore } from 'react'
import type { AgentError } from '../../../base/agent-error.ts'
import type { A2AClient } from '../client/a2a-client.ts'
import { partsText } from '../artifact-parts.ts'
import type { Artifact, Task, StreamResponse } from '../messages.ts'
import { taskStatusOf } from '../task-state.ts'
import type { TaskStatus } from '../../../seam/agent-event.ts'
import type { Prompt } from '../../../seam/prompt.ts'
import type { StopResult, AgentClient } from '../../../session/agent-client.ts'
import type { Connection } from '../../../session/connection.ts'
import { type ChatInstance, createChat } from '../../../state/chat.ts'
import type { SendResult, ChatMaker } from '../../../state/chat-options.ts'
import { useChatInstance, useTracked } from '../../../react/use-agent-chat.ts'
import { useLatest } from '../../../react/use-latest.ts'
import { usePrompts } from '../../../react/use-prompts.ts'
import { useA2AClient } from './use-a2a-client.ts'
import { foldTask } from '../fold-task.ts'
import type { A2ARequest } from '../request.ts'
import { followingState } from '../../../state/chat-snapshot.ts'
import { createPublisher } from '../../../state/chat-store.ts'

/** A task as its agent reports it while a chat follows it. */
interface FollowedTask {
  getSnapshot(): Task | undefined
  subscribe(listener: () => void): () => void
  /** Stores the agent's report about it, unchanged. */
  hear(response: StreamResponse): void
}

/** By the chat that follows it. */
const followed = new WeakMap<ChatInstance, FollowedTask>()

/** The task that a chat of {@link followerOf} follows. */
function followedBy(chat: ChatInstance): FollowedTask {
  const task = followed.get(chat)
  if (task === undefined) throw new Error('This chat was not made to follow a task.')
  return task
}

/** Makes chats that follow a task: nothing is sent before its agent asks something and the user answers. */
function followerOf(taskId: string): ChatMaker {
  return {
    open(options) {
      const { environment } = options.client()
      let task: Task | undefined
      const publisher = createPublisher<Task | undefined>(environment, () => task)
      const hear = (response: StreamResponse): void => {
        task = foldTask(taskId, task, response)
        publisher.schedule()
      }
      const clients = new WeakMap<AgentClient, AgentClient>()
      const heard = (client: AgentClient): AgentClient => {
        const known = clients.get(client)
        if (known !== undefined) return known
        // The hook that follows a task takes an A2AClient.
        const made = listening(client as A2AClient, hear)
        clients.set(client, made)
        return made
      }
      const chat = createChat({
        ...options,
        client: () => heard(options.client()),
        initialState: followingState(`task-${taskId}`, { taskId }, environment.clock.date()),
      })
      followed.set(chat, { getSnapshot: publisher.get, subscribe: publisher.subscribe, hear })
      return chat
    },
  }
}

/** The same client, whose events are heard on their way to the session. */
function listening(
  client: A2AClient,
  hear: (response: StreamResponse) => void,
): AgentClient<A2ARequest, StreamResponse> {
  const { protocol, retry, timeoutMs, environment, budget, limits, observer } = client
  return {
    retry,
    timeoutMs,
    environment,
    budget,
    limits,
    observer,
    createRequest: (input) => client.createRequest(input),
    protocol: {
      ...protocol,
      async *open(opening) {
        for await (const batch of protocol.open(opening)) {
          for (const { source } of batch.deliveries) if (source !== undefined) hear(source)
          yield batch
        }
      },
    },
  }
}

export interface A2ATaskOptions {
  /** Another client than the provider's. @default the provider's */
  readonly client?: A2AClient | undefined
}

/** A task of an agent, as it is followed. */
export interface A2ATask {
  /** Its state. Undefined until the agent has reported it. */
  readonly status: TaskStatus | undefined
  /** What the agent says of its state, as plain text. Undefined: nothing. */
  readonly statusText: string | undefined
  /** All of it in the words of A2A 1.0, text of an artifact as one part. Undefined until the agent has reported it. */
  readonly task: Task | undefined
  /** What it has produced so far. */
  readonly artifacts: readonly Artifact[]
  /** What it asks of the user, oldest first: answered with `usePrompt(id, { chat })` or the components of prompts. */
  readonly prompts: readonly Prompt[]
  /** Whether more of it is expected: it has not ended, does not wait for an answer, and nobody gave up. */
  readonly isFollowing: boolean
  readonly connection: Connection
  /** Why it failed, or why it can no longer be followed: `log_expired` when the agent does not know it. */
  readonly error: AgentError | undefined
  /** The same task as a conversation, for `ChatContext` and the components: its text, its artifacts and its prompts. */
  readonly chat: ChatInstance
  /** Asks the agent to cancel it, and for the state it is in then. `left`: the agent has not confirmed, and may still be working. */
  cancel(): Promise<StopResult>
  /** Connects again, after a wait or when the connection was abandoned. */
  retry(): Promise<SendResult>
}

const NONE: readonly Artifact[] = []

/** A prompt that is answered within the run: it is withdrawn when the run ends. */
function isWithin({ answeredBy }: Prompt): boolean {
  return answeredBy === 'command'
}

/**
 * Follows a task that is there: after a reload, or from a link. It continues over dropped connections, sends no message, and ends with
 * the task. Components that follow the same task share one connection; unmounting closes it, and the task continues at the agent.
 *
 * @example
 * ```tsx
 * import { useA2ATask } from 'capstan/react'
 *
 * export function Progress({ taskId }: { taskId: string }) {
 *   const { status, statusText, cancel } = useA2ATask(taskId)
 *   return <button onClick={() => void cancel()}>Stop: {statusText ?? status}</button>
 * }
 * ```
 */
export function useA2ATask(taskId: string, options: A2ATaskOptions = {}): A2ATask {
  const client = useA2AClient(options.client, 'useA2ATask')
  const store = useMemo(() => followerOf(taskId), [taskId])
  const chat = useChatInstance({ client, store, conversationId: `task:${client.protocol.server ?? ''}:${taskId}` })
  const followed = followedBy(chat)
  const task = useSyncExternalStore(followed.subscribe, followed.getSnapshot, followed.getSnapshot)
  const { status: chatStatus, connection, error } = useTracked(chat)
  const prompts = usePrompts({ chat })
  const latest = useLatest(client)
  const actions = useMemo(
    () => ({
      async cancel(): Promise<StopResult> {
        const result = await chat.stop()
        // The run has ended, so only GetTask has the outcome of the task. If it fails, the state is unchanged.
        await latest.current.getTask(taskId).then(
          (told) => followed.hear({ task: told }),
          () => {},
        )
        return result
      },
      retry: (): Promise<SendResult> => chat.retry(),
    }),
    [chat, followed, latest, taskId],
  )
  return {
    status: task && taskStatusOf(task.status),
    statusText: partsText(task?.status.message?.parts ?? []) || undefined,
    task,
    artifacts: task?.artifacts ?? NONE,
    prompts,
    isFollowing: chatStatus === 'submitted' || chatStatus === 'streaming' || prompts.some(isWithin),
    connection,
    error,
    chat,
    ...actions,
  }
}
