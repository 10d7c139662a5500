import type { Clock } from '../../../base/ports/clock.ts'
import type { CommandHandler, RunCommand, RunReply } from '../event-log.ts'

/** What is in a mailbox: a command for a run that is written here, or the reply to one that was sent from here. */
type Letter =
  | {
      readonly kind: 'command'
      /** Names the command, so that its reply finds back. */
      readonly id: string
      /** Mailbox of the sender. */
      readonly from: string
      /** Key of the run. */
      readonly run: string
      readonly command: RunCommand
    }
  | { readonly kind: 'reply'; readonly id: string; readonly reply: RunReply }

/** Commands between the processes of one store: each process has one mailbox, which it alone takes from. */
export interface Mailbox {
  /** Names the mailbox, in each run that is written here. */
  readonly name: string
  /** Whether a letter may arrive. */
  isWanted(): boolean
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
  /** Acts on a letter that was taken out. Never throws: a sender that gets no reply sends the command again. */
  receive(text: string): void
  close(): void
}

export interface MailboxOptions {
  readonly clock: Clock
  readonly uuid: () => string
  /** Longest wait for a reply. */
  readonly commandTimeoutMs: number
  /** Puts a letter into the mailbox of another process. */
  post(mailbox: string, text: string): Promise<unknown>
  /** Called when letters are wanted. */
  watch(): void
}

export function createMailbox({ clock, uuid, commandTimeoutMs, post, watch }: MailboxOptions): Mailbox {
  const name = uuid()
  const handlers = new Map<string, CommandHandler>()
  const waiting = new Map<string, (reply: RunReply) => void>()

  const take = async (text: string): Promise<void> => {
    // Only processes of this package write here.
    const letter = JSON.parse(text) as Letter
    if (letter.kind === 'reply') {
      waiting.get(letter.id)?.(letter.reply)
      return
    }
    // A run that has ended here meanwhile: the sender looks again.
    const handler = handlers.get(letter.run)
    const reply: RunReply = handler === undefined ? { result: 'unavailable' } : await handler(letter.command)
    await post(letter.from, JSON.stringify({ kind: 'reply', id: letter.id, reply } satisfies Letter))
  }

  return {
    name,
    isWanted() {
      return handlers.size > 0 || waiting.size > 0
    },
    handle(run, handler) {
      handlers.set(run, handler)
      watch()
      return () => {
        if (handlers.get(run) === handler) handlers.delete(run)
      }
    },
    handlerOf: (run) => handlers.get(run),
    async send(run, command, deliver) {
      const id = uuid()
      let cancel = (): void => {}
      const replied = new Promise<RunReply | undefined>((resolve) => {
        waiting.set(id, resolve)
        cancel = clock.after(commandTimeoutMs, () => resolve(undefined))
      })
      try {
        watch()
        const letter: Letter = { kind: 'command', id, from: name, run, command }
        return (await deliver(JSON.stringify(letter))) ? await replied : undefined
      } finally {
        cancel()
        waiting.delete(id)
      }
    },
    receive: (text) => void take(text).catch(() => {}),
    close: () => handlers.clear(),
  }
}
