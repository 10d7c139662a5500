import { createContext, useContext } from 'react'
import { CapClient } from '../../src/cap.ts'
import type { Environment } from '../../src/index.ts'
import { systemEnvironment } from '../../src/base/environment.ts'
import type { ScenarioId } from '../server/scenarios/scenario-list.ts'
import { scenarios } from '../server/scenarios/scenario-list.ts'
import type { LineServer } from './line/line-server.ts'
import { createLineServer } from './line/line-server.ts'
import type { Settings } from './settings/settings.ts'
import { defaultSettings } from './settings/settings.ts'
import type { Readable, Store } from './store.ts'
import { createStore } from './store.ts'
import { observedFetch } from './wire/observed-fetch.ts'
import type { PageLine } from './wire/page-line.ts'
import { createPageLine } from './wire/page-line.ts'
import type { WireRecorder } from './wire/wire-recorder.ts'
import { createWireRecorder } from './wire/wire-recorder.ts'

/** One conversation of the bench. */
export interface Talk {
  readonly conversationId: string
  /** Undefined: the agent that answers from the repository's pages. */
  readonly scenario: ScenarioId | undefined
  /** What to ask at once. */
  readonly prompt: string | undefined
}

/** Everything behind the page, made once: what outlives a render lives here. */
export interface Bench {
  readonly environment: Environment
  readonly settings: Store<Settings>
  readonly talk: Readable<Talk>
  readonly wire: WireRecorder
  readonly page: PageLine
  readonly server: LineServer
  /** A fresh conversation; without a scenario, with the docs agent. */
  begin(scenario: ScenarioId | undefined, prompt?: string): void
  /** @throws CapError `invalid_config` when the settings cannot work */
  createClient(settings: Settings): CapClient
}

export function createBench(): Bench {
  const page = createPageLine(systemEnvironment.online)
  const environment: Environment = { ...systemEnvironment, online: page.online }
  const wire = createWireRecorder(environment)
  const fetch = observedFetch({ wire, page })
  const newTalk = (scenario: ScenarioId | undefined, prompt: string | undefined): Talk => ({ conversationId: environment.uuid(), scenario, prompt })
  const talk = createStore(newTalk(undefined, undefined))
  const scenarioOf = new Map<string, ScenarioId>()

  return {
    environment,
    settings: createStore(defaultSettings),
    talk,
    wire,
    page,
    server: createLineServer(),
    begin(scenario, prompt = scenarios.find(({ id }) => id === scenario)?.prompt) {
      const next = newTalk(scenario, prompt)
      if (scenario !== undefined) scenarioOf.set(next.conversationId, scenario)
      wire.reset()
      talk.set(next)
    },
    createClient({ baseUrl, apiKey, timeoutMs, maxRetries }) {
      return new CapClient({
        baseUrl,
        apiKey,
        timeoutMs,
        maxRetries,
        fetch,
        environment,
        // Every message of a scenario belongs to it, and so does an answer asked for again.
        context: ({ conversationId }) => {
          const scenario = scenarioOf.get(conversationId)
          return scenario === undefined ? {} : { metadata: { scenario } }
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
