import { shape } from '../base/guards.ts'
import { report } from '../base/ports/report.ts'
import { isThread, MESSAGE_FIELDS } from './records/stored-fields.ts'
import type { StoredMessage } from './records/stored-message.ts'
import type { StoredThread } from './records/thread-disk.ts'
import { uniqueMessages } from '../state/conversation/unique-messages.ts'
import type { LinkedStore, RemoteLink } from './remote-link.ts'
import type { RemoteMessage, RemoteThread, RemoteThreads } from './remote-threads.ts'

/** What a server sends is anything until then; what is no message is left out. */
const isMessage = shape<StoredMessage>(MESSAGE_FIELDS)

/** Brings conversations of a server to this device: the list at once, and the messages of one when it is opened. */
export function syncRemote(remote: RemoteThreads, { disk, threads, list, open }: LinkedStore): RemoteLink {
  /** Those of which this device has no messages yet. */
  const missing = new Map<string, StoredThread>()
  let merging: Promise<void> | undefined

  const merge = async (): Promise<void> => {
    await open()
    for (const thread of (await remote.list()).map(threadOf).filter(isThread))
      if (!threads.has(thread.id)) missing.set(thread.id, thread)
    list([...missing.values()])
    for (const [id, thread] of missing) void disk.write(id, { thread })
  }
  const start = (): Promise<void> => (merging ??= attempt(merge))

  const fill = async (id: string): Promise<void> => {
    const { state, messages, thread: own } = await disk.read(id)
    if (state !== undefined || messages.size > 0) return
    await start()
    const thread = missing.get(id) ?? own
    if (thread === undefined) return
    const stored = uniqueMessages((await remote.read(id)).map(messageOf).filter(isMessage))
    if (stored.length === 0) return
    await disk.write(id, {
      // Refused where a tab has begun to write this conversation meanwhile.
      term: 0,
      thread,
      state: { revision: 1, order: stored.map((message) => message.id), queued: [] },
      messages: new Map(stored.map((message) => [message.id, message])),
    })
    missing.delete(id)
  }

  return {
    start: () => void start(),
    filled(chat) {
      let visits = 0
      return {
        ...chat,
        async resume() {
          const visit = (visits += 1)
          await attempt(() => fill(chat.conversationId))
          // The page may have left it meanwhile.
          if (visit === visits) await chat.resume()
        },
        async dispose() {
          visits += 1
          await chat.dispose()
        },
      }
    },
    rename: (id, title) => void attempt(async () => remote.rename?.(id, title)),
    remove: (id) => void attempt(async () => remote.remove?.(id)),
  }
}

/** What the server could not do changes nothing here, and is told. */
async function attempt(task: () => Promise<void>): Promise<void> {
  try {
    await task()
  } catch (error) {
    report(error)
  }
}

function threadOf({ id, title, createdAt, updatedAt }: RemoteThread): StoredThread {
  return { id, title, named: true, status: 'idle', unread: false, createdAt, updatedAt }
}

function messageOf({ id, role, parts, files, status, requestId, at }: RemoteMessage): StoredMessage {
  const isUser = role === 'user'
  return {
    id,
    role,
    parts,
    status: isUser ? 'sent' : status,
    requestId,
    createdAt: at,
    ...(files && { files }),
    ...(!isUser && { endedAt: at }),
  }
}
