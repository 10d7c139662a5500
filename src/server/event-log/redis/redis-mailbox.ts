import type { Clock } from '../../../base/ports/clock.ts'
import { delay } from '../../../base/ports/delay.ts'
import type { CommandHandler, RunCommand, RunReply } from '../run-command.ts'
import { replyText, type RedisClient, type RedisConnection, type RedisReply } from './redis-client.ts'
import { within, type RedisCommands } from './redis-commands.ts'

/** What is in a mailbox: a command for a run that is written here, or the reply to one that was sent from here. */
type Letter =
  | {
      readonly kind: 'command'
      /** Names the command, so that its reply finds back. */
      readonly id: string
      /** Mailbox of the sender. */
      readonly from: string
      /** Key of the run's hash. */
      readonly run: string
      readonly command: RunCommand
    }
  | { readonly kind: 'reply'; readonly id: string; readonly reply: RunReply }

/** Commands between the processes of one Redis: each process has one list, which it alone takes from. */
export interface RedisMailbox {
  /** Names the mailbox, in the hash of each run that is written here. */
  readonly name: string
  /** Takes the commands for a run of this process, until the returned function is called. */
  handle(run: string, handler: CommandHandler): () => void
  /** The handler of a run of this process; undefined when there is none. */
  handlerOf(run: string): CommandHandler | undefined
  /**
   * Sends a command, and resolves with the reply, or undefined when none comes in time.
   *
   * @param deliver puts the text into the mailbox of the process that writes the run, once or more; false when it is nowhere
   */
  send(run: string, command: RunCommand, deliver: (text: string) => Promise<boolean>): Promise<RunReply | undefined>
  close(): void
}

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

export function createRedisMailbox(options: RedisMailboxOptions): RedisMailbox {
  const { client, commands, clock, prefix, keepMs, blockMs, commandTimeoutMs } = options
  const name = options.uuid()
  const handlers = new Map<string, CommandHandler>()
  const waiting = new Map<string, (reply: RunReply) => void>()
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

  const reply = async (to: string, letter: Letter): Promise<void> => {
    await commands.run('post', [prefix + to], [JSON.stringify(letter), keepMs])
  }

  const take = async (text: string): Promise<void> => {
    // Only processes of this package write here.
    const letter = JSON.parse(text) as Letter
    if (letter.kind === 'reply') {
      waiting.get(letter.id)?.(letter.reply)
      return
    }
    // A run that has ended here meanwhile: the sender looks again.
    const handler = handlers.get(letter.run)
    const said: RunReply = handler === undefined ? { result: 'unavailable' } : await handler(letter.command)
    await reply(letter.from, { kind: 'reply', id: letter.id, reply: said })
  }

  const takeAll = (texts: RedisReply): void => {
    if (!Array.isArray(texts)) return
    // Whoever gets no reply sends the command again.
    for (const text of texts) take(replyText(text)).catch(() => {})
  }

  /** Waits for one letter, and takes what is behind it. A late reply of Redis is still taken: what it popped is nowhere else. */
  const ask = async (own: RedisConnection): Promise<void> => {
    const popped = own.sendCommand(['BLPOP', prefix + name, String(blockMs / 1000)]).then((said) => {
      // The name of the list, and the letter.
      if (Array.isArray(said)) takeAll([said[1] as RedisReply]) // what Redis replies with
      return said
    })
    const first = await within(popped, clock, blockMs + commandTimeoutMs)
    if (first === null) return
    const more = own.sendCommand(['LPOP', prefix + name, String(MOST_LETTERS)]).then((said) => {
      takeAll(said as RedisReply) // what Redis replies with
      return said
    })
    await within(more, clock, commandTimeoutMs)
  }

  const loop = async (): Promise<void> => {
    while (!closed && (handlers.size > 0 || waiting.size > 0)) {
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

  const run = (): void => {
    if (running || closed) return
    running = true
    void loop()
  }

  return {
    name,
    handle(key, handler) {
      handlers.set(key, handler)
      run()
      return () => {
        if (handlers.get(key) === handler) handlers.delete(key)
      }
    },
    handlerOf: (key) => handlers.get(key),
    async send(key, command, deliver) {
      const id = options.uuid()
      let cancel = (): void => {}
      const replied = new Promise<RunReply | undefined>((resolve) => {
        waiting.set(id, resolve)
        cancel = clock.after(commandTimeoutMs, () => resolve(undefined))
      })
      try {
        run()
        const letter: Letter = { kind: 'command', id, from: name, run: key, command }
        return (await deliver(JSON.stringify(letter))) ? await replied : undefined
      } finally {
        cancel()
        waiting.delete(id)
      }
    },
    close() {
      closed = true
      handlers.clear()
      void connection?.then((own) => own.destroy()).catch(() => {})
      connection = undefined
    },
  }
}
