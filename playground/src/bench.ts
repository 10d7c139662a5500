import { createContext, useContext } from 'react'
import type { AgentClient, ChatInstance, Environment } from 'capstan'
import { A2AClient } from 'capstan/a2a'
import { CapClient } from 'capstan'
import { isA2AScenarioId } from '../server/a2a/a2a-scenarios.ts'
import type { PageScenarioId } from '../server/scenarios/page-scenario.ts'
import { pageScenarioOf } from '../server/scenarios/page-scenario.ts'
import type { Address } from './address.ts'
import type { History } from './history.ts'
import { createHistory, riverHistory } from './history.ts'
import type { ServerNetwork } from './connection/server-network.ts'
import { createServerNetwork } from './connection/server-network.ts'
import type { Settings } from './settings/settings.ts'
import { defaultSettings } from './settings/settings.ts'
import type { Readable, Store } from './store.ts'
import { createStore } from './store.ts'
import { observedFetch } from './wire/observed-fetch.ts'
import type { PageNetwork } from './wire/page-network.ts'
import { createPageNetwork } from './wire/page-network.ts'
import type { WireRecorder } from './wire/wire-recorder.ts'
import { createWireRecorder } from './wire/wire-recorder.ts'

/** One conversation of the bench. */
export interface Talk {
  readonly conversationId: string
  /** Undefined: the agent that answers from the repository's pages. */
  readonly scenario: PageScenarioId | undefined
  /** What to ask at once. */
  readonly prompt: string | undefined
  /** What to ask while the first answer is being written. */
  readonly queued: readonly string[]
  /** What was said before. */
  readonly history: History | undefined
}

/** Everything behind the page, made once: what outlives a render lives here. */
export interface Bench {
  readonly environment: Environment
  readonly settings: Store<Settings>
  readonly talk: Readable<Talk>
  readonly wire: WireRecorder
  /** The packet that is looked at, by the id of its row. */
  readonly selected: Store<number | undefined>
  /** Something the user should know about the page itself, in a sentence. */
  readonly problem: Store<string | undefined>
  readonly page: PageNetwork
  readonly server: ServerNetwork
  /** True the first time it is asked about a chat: what a talk begins with is said once, however often the page mounts. */
  opens(chat: ChatInstance): boolean
  /** A fresh conversation; without a scenario, with the docs agent. */
  begin(scenario: PageScenarioId | undefined, prompt?: string): void
  /** Follows the address bar until the returned function is called. */
  followAddress(): () => void
  /** @throws CapError `invalid_config` when the settings cannot work */
  createClient(settings: Settings): CapClient
  /** The client of a talk: of the agent over A2A where its scenario is one of those. @throws as `createClient` */
  clientOf(scenario: PageScenarioId | undefined, settings: Settings): AgentClient
}

/** Where this page's own server answers calls of A2A. */
export const A2A_ADDRESS = '/a2a'

export function createBench(address: Address): Bench {
  // What the library takes for the world around it, with our own network.
  const { environment: system } = new CapClient({ baseUrl: defaultSettings.baseUrl })
  const page = createPageNetwork(system.online)
  const environment: Environment = { ...system, online: page.online }
  const wire = createWireRecorder(environment)
  const fetch = observedFetch({ wire, page })
  const selected = createStore<number | undefined>(undefined)
  const problem = createStore<string | undefined>(undefined)
  const scenarioByTalk = new Map<string, PageScenarioId>()
  const opened = new WeakSet<ChatInstance>()

  const newTalk = (scenario: PageScenarioId | undefined, prompt?: string): Talk => {
    const known = pageScenarioOf(scenario)
    const conversationId = environment.uuid()
    if (scenario !== undefined) scenarioByTalk.set(conversationId, scenario)
    return {
      conversationId,
      scenario,
      prompt: prompt ?? known?.prompt,
      queued: prompt === undefined || prompt === known?.prompt ? (known?.queued ?? []) : [],
      history:
        known?.history &&
        createHistory(
          riverHistory(known.history.turns, environment.clock.date()),
          known.history.paged,
          environment.clock,
        ),
    }
  }
  /** The talk an address names; the docs agent, with a word about it, when it names nothing we know. */
  const namedTalk = (): Talk => {
    const named = address.named()
    problem.set(
      'unknown' in named
        ? `There is no scenario “${named.unknown.slice(0, 60)}”. Those that exist are in the list of scenarios.`
        : undefined,
    )
    return newTalk('unknown' in named ? undefined : named.scenario)
  }
  const talk = createStore(namedTalk())

  const enter = (next: Talk): void => {
    wire.reset()
    selected.set(undefined)
    talk.set(next)
  }

  /** Of the agent that this page's own server runs. */
  const createA2AClient = ({ timeoutMs, maxRetries }: Settings): A2AClient =>
    A2AClient.fromUrl(A2A_ADDRESS, {
      timeoutMs,
      maxRetries,
      fetch,
      environment,
      context: ({ conversationId }) => ({ metadata: { scenario: scenarioByTalk.get(conversationId) } }),
    })

  return {
    environment,
    settings: createStore({ ...defaultSettings, markdown: address.markdown() }),
    talk,
    wire,
    selected,
    problem,
    page,
    server: createServerNetwork(),
    opens(chat) {
      const first = !opened.has(chat)
      opened.add(chat)
      return first
    },
    begin(scenario, prompt) {
      problem.set(undefined)
      address.show(scenario)
      enter(newTalk(scenario, prompt))
    },
    followAddress: () => address.follow(() => enter(namedTalk())),
    clientOf(scenario, settings) {
      return isA2AScenarioId(scenario) ? createA2AClient(settings) : this.createClient(settings)
    },
    createClient({ baseUrl, apiKey, timeoutMs, maxRetries, markdown }) {
      return new CapClient({
        baseUrl,
        apiKey,
        timeoutMs,
        maxRetries,
        fetch,
        environment,
        // Every message of a scenario belongs to it, and so does an answer asked for again.
        context: ({ conversationId }) => {
          const scenario = scenarioByTalk.get(conversationId)
          return { capabilities: { prefers_markdown: markdown }, metadata: scenario === undefined ? {} : { scenario } }
        },
      })
    },
  }
}

export const BenchContext = createContext<Bench | null>(null)

export function useBench(): Bench {
  const bench = useContext(BenchContext)
  if (bench === null) throw new Error('There is no bench here: put the component inside <BenchContext value={bench}>.')
  return bench
}
