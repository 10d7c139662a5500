'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef, useEffect, useState } from 'react'
import { useChatContext } from '../../hooks/chat-context.ts'
import { useChatSelector } from '../../hooks/use-chat-selector.ts'
import type { Connection } from '../../session/connection.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import type { RenderRoot } from '../internals/part.ts'
import { classNames, Root } from '../internals/part.ts'
import { useLongerThan } from '../internals/use-longer-than.ts'
import { useOffline } from '../internals/use-offline.ts'
import { attemptOf, BLINK_MS, isDown } from '../internals/reconnect-attempt.ts'

/** `offline`: the device has no network, whether or not an answer is under way. `queued`: the browser's connections are all in use. `live`: an answer is coming in. `silent`: the connection is open and the agent has sent nothing for five seconds. `connecting`: no answer yet in this run, however many attempts there were. `reconnecting` shows only when a drop lasts. `gave-up`: attempts ran out; `failed`: none would help. */
export type LineState = 'ready' | 'connecting' | 'queued' | 'live' | 'silent' | 'reconnecting' | 'offline' | 'paused' | 'gave-up' | 'failed'

export interface ConnectionStatusProps extends Omit<ComponentPropsWithoutRef<'span'>, 'children'> {
  /** Without the edge of a pill, for headers. */
  readonly bare?: boolean | undefined
  /** Replaces the root element; receives the props to spread and the part's state. */
  readonly render?: RenderRoot<{ readonly state: LineState; readonly attempt: number; readonly maxAttempts: number }> | undefined
}

/** How long "Back online" stands there. */
const BACK_MS = 4000
/** An agent that sends nothing for so long is waited for: slower than any that writes, sooner than a timeout. */
const SILENT_MS = 5000

function stateOf({ phase, attempt, hasOpened }: Connection, down: boolean, queued: boolean, offline: boolean, silent: boolean): LineState {
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

/** Whether something that held is over, and has been for less than `ms` milliseconds. */
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

/** When each chat was last heard of, for as long as a pill of it is shown: one that appears later counts the same silence. */
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
 * The line as one pill: a shape and a word, never a colour alone. `data-state` carries the
 * {@link LineState}. After the device was offline it says "Back online" for four seconds. It speaks through no live region of its own; the `Announcer` does.
 */
export const ConnectionStatus = forwardRef<HTMLSpanElement, ConnectionStatusProps>(function ConnectionStatus({ bare, className, render, ...rest }, ref): ReactNode {
  const words = useDictionary().connection
  const line = useChatSelector((snapshot) => snapshot.connection)
  const down = useLongerThan(isDown(line), BLINK_MS)
  const state = stateOf(line, down, useLongerThan(line.phase === 'queued', BLINK_MS), useOffline(), useSilent(line.phase === 'streaming'))
  const back = useJustOver(state === 'offline', BACK_MS) && (state === 'live' || state === 'ready')
  return (
    <Root
      tag="span"
      render={render}
      root={{
        ...rest,
        className: classNames('cs-part cs-pill', className),
        'data-state': state,
        'data-bare': bare ? '' : undefined,
        children: back ? words.back : down || state === 'reconnecting' ? words[line.hasOpened ? 'reconnecting' : 'retrying'](attemptOf(line), line.maxAttempts) : words[state === 'gave-up' ? 'gaveUp' : state],
      }}
      state={{ state, attempt: line.attempt, maxAttempts: line.maxAttempts }}
      rootRef={ref}
    />
  )
})
