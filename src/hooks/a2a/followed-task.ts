import type { A2AClient } from '../../clients/a2a/a2a-client.ts'
import { foldTask } from '../../protocols/a2a/fold-task.ts'
import type { A2ARequest } from '../../protocols/a2a/request.ts'
import type { StreamResponse, Task } from '../../protocols/a2a/schema/task.ts'
import type { AgentClient } from '../../session/agent-client.ts'
import type { ChatInstance } from '../../state/chat.ts'
import { createChat } from '../../state/chat.ts'
import type { ChatMaker } from '../../state/chat-options.ts'
import { followingState } from '../../state/chat-state.ts'
import { createPublisher } from '../../state/publisher.ts'

/** A task as its agent tells of it while a chat follows it. */
export interface FollowedTask {
  getSnapshot(): Task | undefined
  subscribe(listener: () => void): () => void
  /** Takes in what the agent has said of it, as it came. */
  hear(response: StreamResponse): void
}

/** By the chat that follows it. */
const followed = new WeakMap<ChatInstance, FollowedTask>()

/** The task that a chat of {@link followerOf} follows. */
export function followedBy(chat: ChatInstance): FollowedTask {
  const task = followed.get(chat)
  if (task === undefined) throw new Error('This chat was not made to follow a task.')
  return task
}

/** Makes chats that follow a task: nothing is sent before its agent asks something and the user answers. */
export function followerOf(taskId: string): ChatMaker {
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
