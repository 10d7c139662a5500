'use client'

import { type ComponentPropsWithoutRef, type ReactNode, forwardRef, useEffect, useState } from 'react'
import { useChatContext, useChatStatus } from '../react/chat-context.ts'
import type { Connection } from '../session/connection.ts'
import { useDictionary } from './dictionary/dictionary-context.tsx'
import { type RenderRoot, classNames, Root, type AttributesOf, type PartAttributes } from './internals/part.ts'
import { useLongerThan } from './internals/live-time.tsx'
import { useOffline } from './internals/use-hydrated.ts'
import { attemptOf, BLINK_MS, isDown } from './internals/reconnect-attempt.ts'

/** The `data-*` attributes of `ConnectionStatus`. */
export const connectionStatusAttributes = {
  root: {
    selector: '.cs-pill',
    attributes: {
      'data-state': {
        values: [
          'ready',
          'connecting',
          'queued',
          'live',
          'silent',
          'awaiting-input',
          'reconnecting',
          'offline',
          'paused',
          'gave-up',
          'failed',
        ],
        meaning: 'The state of the connection',
      },
      'data-bare': { values: 'present', meaning: 'Without the edge of a pill' },
    },
  },
} as const satisfies PartAttributes

type Attributes = AttributesOf<typeof connectionStatusAttributes>

/** `offline`: the device has no network, whether or not an answer is under way. `queued`: the browser's connections are all in use. `live`: an answer is coming in. `silent`: the connection is open and the agent has sent nothing for five seconds. `awaiting-input`: nothing is wrong with the connection and a prompt waits for the user. `connecting`: no answer yet in this run, however many attempts there were. `reconnecting` shows only when a drop lasts. `gave-up`: attempts ran out; `failed`: none would help. */
export type ConnectionStatusState =
  | 'ready'
  | 'connecting'
  | 'queued'
  | 'live'
  | 'silent'
  | 'awaiting-input'
  | 'reconnecting'
  | 'offline'
  | 'paused'
  | 'gave-up'
  | 'failed'

export interface ConnectionStatusProps extends Omit<ComponentPropsWithoutRef<'span'>, 'children'> {
  /** Without the edge of a pill, for headers. @default false */
  readonly bare?: boolean | undefined
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?:
    | RenderRoot<{ readonly state: ConnectionStatusState; readonly attempt: number; readonly maxAttempts: number }>
    | undefined
}

/** How long "Back online" is shown. */
const BACK_MS = 4000
/**
 * Silence after which the state is `silent`, in milliseconds: longer than the pauses of an agent that is writing,
 * shorter than the timeout.
 */
const SILENT_MS = 5000

function stateOf(
  { phase, attempt, hasOpened }: Connection,
  down: boolean,
  queued: boolean,
  offline: boolean,
  silent: boolean,
): ConnectionStatusState {
  if (down) return hasOpened ? 'reconnecting' : 'connecting'
  switch (phase) {
    case 'streaming':
      return silent ? 'silent' : 'live'
    case 'waiting':
      return hasOpened ? 'live' : 'connecting'
    case 'connecting':
      return attempt > 0 && hasOpened ? 'live' : 'connecting'
    case 'queued':
      return queued ? 'queued' : 'connecting'
    case 'offline':
    case 'paused':
      return phase
    case 'failed':
      return attempt > 0 ? 'gave-up' : 'failed'
    case 'idle':
    case 'closed':
    case 'stopped':
      return offline ? 'offline' : 'ready'
  }
}

/** Whether something that held has ended, and has been for less than `ms` milliseconds. */
function useJustOver(active: boolean, ms: number): boolean {
  const [remembered, setRemembered] = useState(active)
  if (active && !remembered) setRemembered(true)
  useEffect(() => {
    if (active || !remembered) return
    const timer = setTimeout(() => setRemembered(false), ms)
    return () => clearTimeout(timer)
  }, [active, remembered, ms])
  return remembered && !active
}

/**
 * Time of the last change of each chat that has a `ConnectionStatus` on the page, so that one that is mounted later
 * measures the same silence.
 */
const heard = new WeakMap<object, { at: number; pills: number }>()

/** Whether the chat has been open for an answer, and has not changed, for {@link SILENT_MS}. */
function useSilent(open: boolean): boolean {
  const chat = useChatContext()
  const [silent, setSilent] = useState(false)
  useEffect(() => {
    if (!open) return undefined
    const last = heard.get(chat) ?? { at: performance.now(), pills: 0 }
    heard.set(chat, last)
    last.pills += 1
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = (): void => {
      clearTimeout(timer)
      setSilent(false)
      timer = setTimeout(() => setSilent(true), last.at + SILENT_MS - performance.now())
    }
    wait()
    const unsubscribe = chat.subscribe(() => {
      last.at = performance.now()
      wait()
    })
    return () => {
      unsubscribe()
      clearTimeout(timer)
      setSilent(false)
      last.pills -= 1
      if (last.pills === 0) heard.delete(chat)
    }
  }, [chat, open])
  return silent
}

/**
 * Renders a `<span>`: the state of the connection as one pill, a shape and a label, never a colour alone. After the
 * device was offline it says "Back online" for four seconds. It speaks through no live region of its own; the
 * `Announcer` does.
 *
 * @example
 * ```tsx
 * import { ConnectionStatus } from 'capstan/components'
 *
 * export function Bar() {
 *   return <header>River desk <ConnectionStatus bare /></header>
 * }
 * ```
 */
export const ConnectionStatus = forwardRef<HTMLSpanElement, ConnectionStatusProps>(function ConnectionStatus(
  { bare, className, render, ...rest },
  ref,
): ReactNode {
  const strings = useDictionary().connection
  const { connection, status } = useChatStatus()
  const awaited = status === 'awaiting-input'
  const down = useLongerThan(isDown(connection), BLINK_MS)
  const own = stateOf(
    connection,
    down,
    useLongerThan(connection.phase === 'queued', BLINK_MS),
    useOffline(),
    useSilent(connection.phase === 'streaming' && !awaited),
  )
  const state = awaited && (own === 'ready' || own === 'live' || own === 'silent') ? 'awaiting-input' : own
  const back = useJustOver(state === 'offline', BACK_MS) && (state === 'live' || state === 'ready')
  return (
    <Root
      tag="span"
      render={render}
      root={{
        ...rest,
        className: classNames('cs-part cs-pill', className),
        'data-state': state satisfies Attributes['data-state'],
        'data-bare': (bare ? '' : undefined) satisfies Attributes['data-bare'],
        children: back
          ? strings.back
          : down || state === 'reconnecting'
            ? strings[connection.hasOpened ? 'reconnecting' : 'retrying'](attemptOf(connection), connection.maxAttempts)
            : strings[state === 'gave-up' ? 'gaveUp' : state === 'awaiting-input' ? 'awaitingInput' : state],
      }}
      state={{ state, attempt: connection.attempt, maxAttempts: connection.maxAttempts }}
      rootRef={ref}
    />
  )
})
