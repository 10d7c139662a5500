// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { AgentErrorInit, ErrorCode } from '../../src/base/agent-error.ts'
import type { DictionaryOverrides } from '../../src/strings/dictionary.ts'
import { defaultStrings } from '../../src/strings/dictionary.ts'
import { DictionaryProvider } from '../../src/components/dictionary/dictionary-context.tsx'
import { describeError } from '../../src/components/error-details.tsx'
import { ErrorBanner } from '../../src/components/error-banner.tsx'
import { arabic, chinese, english, german } from '../../src/locales.ts'
import type { ModelFailureCode } from '../../src/server/run/run-verdicts.ts'
import * as VERDICTS from '../../src/server/run/run-verdicts.ts'
import { errorOf } from '../components/fake-chat.ts'
import '../components/show.tsx'

describe('the headline of an error', () => {
  it.each<[code: ErrorCode, more: { status?: number; agentCode?: string }, title: string]>([
    ['unauthorized', {}, 'Please sign in'],
    ['agent_error', { agentCode: 'AUTH_FAILED' }, 'Please sign in'],
    ['http_error', { status: 403 }, 'Access denied'],
    ['not_found', { status: 404 }, 'Assistant not found'],
    ['log_expired', {}, 'This response can’t be resumed'],
    ['rate_limited', { status: 429 }, 'Too many requests'],
    ['agent_error', { agentCode: 'rate_limit_exceeded' }, 'Too many requests'],
    ['http_error', { status: 503 }, 'The server had a problem'],
    ['http_error', { status: 422 }, 'Request rejected'],
    ['network_error', {}, 'Couldn’t reach the assistant after 3 attempts'],
    ['agent_error', { agentCode: 'TOXICITY_DETECTED' }, 'Blocked by a safety check'],
    ['agent_error', { agentCode: 'something_of_its_own' }, 'The assistant reported a problem'],
  ])('%s %o: %s', (code, more, title) => {
    expect(describeError(errorOf({ code, ...more }), defaultStrings, 3).title).toBe(title)
  })

  it('counts no attempts it does not know of, and not a single one', () => {
    for (const attempts of [0, 1])
      expect(describeError(errorOf({ code: 'network_error' }), defaultStrings, attempts).title).toBe(
        'Couldn’t reach the assistant',
      )
  })

  it('says how long to wait when the server did', () => {
    expect(describeError(errorOf({ code: 'rate_limited', retryAfterMs: 30_000 }), defaultStrings).text).toBe(
      'Try again in 30 s.',
    )
  })

  it('is never what an agent calls its own error when we use the word for something else', () => {
    for (const agentCode of ['not_found', 'busy', 'app_error', 'constructor', '__proto__', 'toString', '']) {
      const told = describeError(errorOf({ agentCode, message: 'No such gauge.' }), defaultStrings)
      expect(told).toEqual({
        title: 'The assistant reported a problem',
        text: 'No such gauge.',
        icon: 'fatal',
        action: 'try-again',
      })
    }
  })
})

/** What a run of the server can end with: TypeScript refuses this object when a failure of a model is missing. */
const SERVER_CODES: Readonly<Record<ModelFailureCode, true>> & Readonly<Record<string, true>> = {
  model_unauthorized: true,
  model_quota_exceeded: true,
  model_rate_limited: true,
  model_unavailable: true,
  model_request_rejected: true,
  model_content_filtered: true,
  model_context_too_long: true,
  model_output_limit: true,
  model_step_limit: true,
  internal_error: true,
  run_interrupted: true,
  ...Object.fromEntries(Object.values(VERDICTS).flatMap((one) => ('code' in one ? [[one.code, true]] : []))),
}

describe('the text of a run that the server has ended', () => {
  it.each(Object.entries({ english, german, chinese, arabic }))('is in the dictionary: %s', (_name, strings) => {
    const shown = Object.keys(SERVER_CODES).map((agentCode) => {
      const error = errorOf({ code: 'agent_error', agentCode, message: '§ of the server' })
      return [agentCode, describeError(error, { ...defaultStrings, ...strings })] as const
    })
    for (const [agentCode, { title, text }] of shown) expect(`${title} ${text}`, agentCode).not.toContain('§')
  })

  it('offers another attempt only where one may help', () => {
    const steps = ['model_unauthorized', 'model_request_rejected', 'model_context_too_long', 'model_unavailable'].map(
      (agentCode) => describeError(errorOf({ code: 'agent_error', agentCode }), defaultStrings).action,
    )
    expect(steps).toEqual(['none', 'none', 'none', 'try-again'])
  })
})

/** The closed list: TypeScript refuses this object when a code is missing or gone. */
const EVERY_CODE: Readonly<Record<ErrorCode, true>> = {
  network_error: true,
  timeout: true,
  truncated: true,
  delivery_unknown: true,
  unexpected_content_type: true,
  frame_too_large: true,
  response_too_large: true,
  invalid_json: true,
  invalid_packet: true,
  unknown_op: true,
  invalid_response: true,
  invalid_request: true,
  invalid_config: true,
  http_error: true,
  unauthorized: true,
  forbidden: true,
  not_found: true,
  rate_limited: true,
  log_expired: true,
  agent_error: true,
  restarted: true,
  busy: true,
  app_error: true,
  storage_full: true,
  storage_corrupt: true,
  storage_unavailable: true,
}

describe('the catalogue', () => {
  const tell = (init: Partial<AgentErrorInit>): { title: string; text: string } =>
    describeError(errorOf(init), defaultStrings)
  const codes = Object.keys(EVERY_CODE).map((code) => code as ErrorCode)

  it('has its own words for every code there is, and no others', () => {
    expect(Object.keys(defaultStrings.errorMessages).toSorted()).toEqual(codes.toSorted())
    const titles = codes.map((code) => tell({ code }).title)
    expect(titles.filter((title, index) => title === '' || titles.indexOf(title) !== index)).toEqual([])
    expect(codes.filter((code) => tell({ code }).text === '')).toEqual([])
  })

  it('has words for the codes that CAP sends', () => {
    const generic = tell({ agentCode: 'unheard_of' }).title
    const sent = [
      'rate_limit_exceeded',
      'upstream_timeout',
      'internal_error',
      'auth_failed',
      'TOXICITY_DETECTED',
      'unstructured_error',
    ]
    expect(sent.filter((agentCode) => tell({ agentCode }).title === generic)).toEqual([])
  })

  it('says nothing about a part of the response or a session that may not exist', () => {
    const told = [
      ...codes.map((code) => tell({ code })),
      ...Object.keys(defaultStrings.agentErrorMessages).map((agentCode) => tell({ agentCode })),
    ]
    expect(told.filter(({ title, text }) => /so far|\b(?:kept|saved)\b/.test(`${title} ${text}`))).toEqual([])
    expect(tell({ code: 'unauthorized' })).toMatchObject({
      title: 'Please sign in',
      text: 'You’re not signed in, or your session has expired.',
    })
  })

  it('says every headline without a code, an exclamation mark or a full stop', () => {
    const titles = [
      ...codes.map((code) => tell({ code }).title),
      ...Object.keys(defaultStrings.agentErrorMessages).map((agentCode) => tell({ agentCode }).title),
    ]
    expect(titles.filter((title) => /[_!.]|[A-Z]{2}/.test(title))).toEqual([])
  })
})

describe('a host with its own words', () => {
  const words: DictionaryOverrides = {
    errorMessages: { rate_limited: { title: 'Slow down', text: 'You are on the free plan.' } },
    agentErrorMessages: {
      quota_spent: ({ details }) => ({
        title: 'No credits left',
        text: `They come back on ${String(details?.['resets'])}.`,
      }),
      auth_failed: { title: 'Log in again', text: 'The desk forgot you.' },
    },
  }
  const shown = (init: Partial<AgentErrorInit>): string | null => {
    render(
      <DictionaryProvider strings={words}>
        <ErrorBanner error={errorOf(init)} onSignIn={() => {}} />
      </DictionaryProvider>,
    )
    return screen.getByRole('alert').textContent
  }

  it('replaces those of one code and leaves the others', () => {
    expect(shown({ code: 'rate_limited' })).toContain('Slow downYou are on the free plan.')
    cleanup()
    expect(shown({ code: 'timeout' })).toContain('The response timed out')
  })

  it('adds codes its agent sends, with what came along', () => {
    expect(shown({ agentCode: 'QUOTA_SPENT', details: { resets: 'Monday' } })).toContain(
      'No credits leftThey come back on Monday.',
    )
  })

  it('renames a code and keeps its next step', () => {
    expect(shown({ agentCode: 'auth_failed' })).toContain('Log in again')
    expect(screen.getByRole('button', { name: 'Sign in' })).toBeTruthy()
  })
})
