import type { Clock } from '../../../base/ports/clock.ts'
import { delay, within } from '../../../base/ports/delay.ts'
import { createMailbox, type Mailbox } from '../leased/mailbox.ts'
import { replyText, type RedisClient, type RedisConnection, type RedisReply } from './redis-client.ts'
import type { RedisCommands } from './redis-commands.ts'

export interface RedisMailboxOptions {
  readonly client: RedisClient
  readonly commands: RedisCommands
  readonly clock: Clock
  readonly uuid: () => string
  /** Begins the keys of mailboxes. */
  readonly prefix: string
  /** How long a mailbox that nobody takes from keeps its letters. */
  readonly keepMs: number
  /** Longest wait of one command of Redis. */
  readonly blockMs: number
  /** Longest wait for a reply. */
  readonly commandTimeoutMs: number
}

const FAILURE_WAIT_MS = 50
/** Letters that are taken together when there are more than one. */
const MOST_LETTERS = 100

/** A mailbox for each process: a list, which it waits on. */
export function createRedisMailbox(options: RedisMailboxOptions): Mailbox {
  const { client, commands, clock, uuid, prefix, keepMs, blockMs, commandTimeoutMs } = options
  let connection: Promise<RedisConnection> | undefined
  let running = false
  let closed = false

  const connect = async (): Promise<RedisConnection> => {
    const own = client.duplicate()
    // Failures show themselves where commands fail; without a listener they would end the process.
    own.on('error', () => {})
    await own.connect()
    return own
  }

  const receiveAll = (texts: RedisReply): void => {
    if (Array.isArray(texts)) for (const text of texts) mailbox.receive(replyText(text))
  }

  /** Waits for one letter, and takes what is behind it. A late reply of Redis is still taken: what it popped is nowhere else. */
  const ask = async (own: RedisConnection): Promise<void> => {
    const list = prefix + mailbox.name
    const popped = own.sendCommand(['BLPOP', list, String(blockMs / 1000)]).then((reply) => {
      // The name of the list, and the letter.
      if (Array.isArray(reply)) receiveAll([reply[1] as RedisReply]) // what Redis replies with
      return reply
    })
    const first = await within(popped, clock, blockMs + commandTimeoutMs)
    if (first === null) return
    const more = own.sendCommand(['LPOP', list, String(MOST_LETTERS)]).then((reply) => {
      receiveAll(reply as RedisReply) // what Redis replies with
      return reply
    })
    await within(more, clock, commandTimeoutMs)
  }

  const loop = async (): Promise<void> => {
    while (!closed && mailbox.isWanted()) {
      try {
        connection ??= connect()
        const own = await within(connection, clock, commandTimeoutMs).catch((error: unknown) => {
          connection = undefined
          throw error
        })
        await ask(own)
      } catch {
        await delay(clock, FAILURE_WAIT_MS)
      }
    }
    running = false
  }

  const mailbox = createMailbox({
    clock,
    uuid,
    commandTimeoutMs,
    post: (name, text) => commands.run('post', [prefix + name], [text, keepMs]),
    watch() {
      if (running || closed) return
      running = true
      void loop()
    },
  })
  return {
    ...mailbox,
    close() {
      closed = true
      mailbox.close()
      void connection?.then((own) => own.destroy()).catch(() => {})
      connection = undefined
    },
  }
}
