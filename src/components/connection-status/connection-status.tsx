'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { useChatSelector } from '../../hooks/use-chat-selector.ts'
import type { Connection } from '../../session/connection.ts'
import type { Dictionary } from '../dictionary.ts'
import { useDictionary } from '../dictionary-context.tsx'
import type { RenderRoot } from '../part.ts'
import { classNames, renderRoot } from '../part.ts'
import { useLongerThan } from '../use-longer-than.ts'
import { attemptOf, BLINK_MS, isDown } from './line-trouble.ts'

/** `queued`: the browser's connections are all in use. `live`: an answer is coming in. `reconnecting` shows only when a drop lasts. `gave-up`: attempts ran out; `failed`: none would help. */
export type LineState = 'ready' | 'connecting' | 'queued' | 'live' | 'reconnecting' | 'offline' | 'paused' | 'gave-up' | 'failed'

export interface ConnectionStatusProps extends Omit<ComponentPropsWithoutRef<'span'>, 'children'> {
  /** Without the edge of a pill, for headers. */
  readonly bare?: boolean | undefined
  /** Puts the content on a root of your own. */
  readonly render?: RenderRoot<{ readonly state: LineState; readonly attempt: number; readonly maxAttempts: number }> | undefined
}

function stateOf(line: Connection, down: boolean, queued: boolean): LineState {
  switch (line.phase) {
    case 'streaming':
      return 'live'
    case 'waiting':
      return down ? 'reconnecting' : 'live'
    case 'connecting':
      if (line.attempt > 0) return down ? 'reconnecting' : 'live'
      return 'connecting'
    case 'queued':
      return queued ? 'queued' : 'connecting'
    case 'offline':
      return 'offline'
    case 'paused':
      return 'paused'
    case 'failed':
      return line.attempt > 0 ? 'gave-up' : 'failed'
    case 'idle':
    case 'closed':
    case 'stopped':
      return 'ready'
  }
}

function wordOf(state: LineState, line: Connection, words: Dictionary['connection']): string {
  switch (state) {
    case 'ready':
      return words.ready
    case 'connecting':
      return words.connecting
    case 'queued':
      return words.queued
    case 'live':
      return words.live
    case 'reconnecting':
      return words.reconnecting(attemptOf(line), line.maxAttempts)
    case 'offline':
      return words.offline
    case 'paused':
      return words.paused
    case 'gave-up':
      return words.gaveUp
    case 'failed':
      return words.failed
  }
}

/**
 * The line as one pill: a shape and a word, never a colour alone. `data-state` carries the
 * {@link LineState}. It speaks through no live region of its own; the `Announcer` does.
 */
export function ConnectionStatus({ bare, className, render, ...rest }: ConnectionStatusProps): ReactNode {
  const words = useDictionary().connection
  const line = useChatSelector((snapshot) => snapshot.connection)
  const state = stateOf(line, useLongerThan(isDown(line), BLINK_MS), useLongerThan(line.phase === 'queued', BLINK_MS))
  return renderRoot(
    'span',
    render,
    {
      ...rest,
      className: classNames('cs-part cs-pill', className),
      'data-state': state,
      'data-bare': bare ? '' : undefined,
      children: wordOf(state, line, words),
    },
    { state, attempt: line.attempt, maxAttempts: line.maxAttempts },
  )
}
