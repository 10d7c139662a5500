import type { Clock } from '../../../src/base/ports/clock.ts'
import type { Environment } from '../../../src/base/ports/environment.ts'
import type { AgentClient } from '../../../src/session/agent-client.ts'
import type { ChatInstance } from '../../../src/state/chat.ts'
import { createChat } from '../../../src/state/chat.ts'
import type { CapturableChat } from '../../../src/state/chat-options.ts'
import type { ChatState } from '../../../src/state/chat-snapshot.ts'
import { isUndecided, promptsOf } from '../../../src/state/prompts.ts'
import { createThreadStore } from '../../../src/storage/thread-store.ts'
import { createVirtualBrowser } from '../../storage/model/virtual-browser.ts'
import type { Thread, VirtualTime } from '../../storage/model/virtual-time.ts'
import { clientFor, loggedId } from './consent-clients.ts'
import type { ConsentSchedule } from './consent-schedule.ts'
import type { VirtualNetwork } from './virtual-network.ts'
import { watchPage, type PageWatch } from './watch-page.ts'

/** A tab, or its own device. */
export interface Page {
  readonly thread: Thread
  readonly chat: ChatInstance
  /** Prompts with an answer that another page had begun to send when this one was opened: it alone learns what became of it. */
  readonly takenOver: ReadonlySet<string>
  setClock(ms: number): void
  readonly watch: PageWatch
  /** Called once, by a subscriber, when the chat publishes next. */
  atNextPublish: (() => void) | undefined
}

/** The pages of one user. */
export interface ConsentPages {
  readonly open: readonly Page[]
  /** One more, which has what the others have. */
  add(): Page
  leave(page: Page, isTold: boolean): void
  /** The same page loaded again. */
  reload(page: Page): Page
}

const CONVERSATION = '0b0e9a53-66a1-4a4b-8f5e-0a4f7f7f0c11'

export interface ConsentPagesOptions {
  readonly schedule: Pick<ConsentSchedule, 'tabs' | 'wire' | 'attempts'>
  readonly time: VirtualTime
  readonly random: () => number
  readonly network: VirtualNetwork
  /** A page shows that the agent has confirmed the end of this run. */
  onCancelled(requestId: string, page: Page): void
  /** A page has done what none may do. */
  fault(error: Error): void
}

export function createConsentPages({
  schedule,
  time,
  random,
  network,
  onCancelled,
  fault,
}: ConsentPagesOptions): ConsentPages {
  const { tabs: kind } = schedule
  const browser = createVirtualBrowser(time, random, () => {})
  let open: readonly Page[] = []
  let ids = 0
  /** What the last page that was left had. */
  let left: ChatState | undefined
  const plain = new WeakMap<Page, CapturableChat>()

  function clientOf(thread: Thread, clock: Clock): AgentClient {
    const environment: Environment = {
      clock,
      random,
      online: { isOnline: () => true, subscribe: () => () => {} },
      visibility: { isVisible: () => true, subscribe: () => () => {} },
      frames: { next: (callback) => thread.post('timer', 16, callback) },
      uuid: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`,
      report: (cause) => fault(new Error('A callback failed.', { cause })),
    }
    return clientFor(schedule, network.fetchOf(thread), environment)
  }

  function chatOf(thread: Thread, client: AgentClient, state: ChatState | undefined): ChatInstance {
    if (kind === 'plain') return createChat({ client: () => client, conversationId: CONVERSATION, initialState: state })
    const store = createThreadStore({
      name: 'test',
      ports: browser.portsOf(thread),
      onDamaged: ({ kind: what, problem }) =>
        fault(new Error(`The library wrote a ${what} that is damaged: ${problem}.`)),
    })
    store.subscribe(() => {})
    return store.open({ conversationId: CONVERSATION, client: () => client })
  }

  function add(state: ChatState | undefined): Page {
    const thread = time.createThread()
    let ahead = 0
    const clock: Clock = { ...thread.clock, date: () => thread.clock.date() + ahead }
    const chat = chatOf(thread, clientOf(thread, clock), state)
    const watch = watchPage((requestId) => onCancelled(requestId, page))
    const page: Page = {
      thread,
      chat,
      takenOver: new Set(
        state?.messages
          .flatMap(promptsOf)
          .filter((prompt) => isUndecided(prompt) && prompt.answerId !== undefined)
          .map(({ id }) => loggedId(id)),
      ),
      watch,
      setClock(ms) {
        ahead += ms
      },
      atNextPublish: undefined,
    }
    chat.subscribe(() => {
      try {
        watch.see(chat.getSnapshot())
      } catch (error) {
        // Only a broken promise is thrown there.
        fault(error as Error)
      }
      const act = page.atNextPublish
      page.atNextPublish = undefined
      act?.()
    })
    void chat.resume()
    // The chat of a plain page is one that can be captured.
    if (kind === 'plain') plain.set(page, chat as CapturableChat)
    open = [...open, page]
    return page
  }

  function leave(page: Page, isTold: boolean): void {
    left = plain.get(page)?.capture()
    browser.leave(page.thread, isTold)
    // A page that crashed does nothing more. The browser closes the connections of either.
    if (isTold) void page.chat.disconnect()
    network.leave(page.thread)
    open = open.filter((other) => other !== page)
  }

  return {
    get open() {
      return open
    },
    add() {
      const [first] = open
      return add((first === undefined ? undefined : plain.get(first)?.capture()) ?? left)
    },
    leave,
    reload(page) {
      leave(page, true)
      return add(left)
    },
  }
}
