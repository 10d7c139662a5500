import { describe, expect, it } from 'vitest'
import {
  type ArcpSessionPhase,
  EMPTY_STATE,
  type SessionInput,
  SESSION_PHASES,
} from '../../../../src/protocols/arcp/fold/arcp-state.ts'
import { foldInput } from '../../../../src/protocols/arcp/fold/fold-message.ts'
import { createStateDraft } from '../../../../src/protocols/arcp/fold/state-draft.ts'
import { readMessage } from '../../../../src/protocols/arcp/read/message.ts'

// The table's keys are exactly these.
const phases = Object.keys(SESSION_PHASES) as ArcpSessionPhase[]
const inputs = Object.keys(SESSION_PHASES.idle) as SessionInput[]

const PAYLOADS: Readonly<Partial<Record<SessionInput, object>>> = {
  'session.challenge': { challenge: 'c' },
  'session.accepted': { session_id: 's', runtime: { kind: 'r', version: '1' }, capabilities: {} },
  'session.rejected': { code: 'UNAUTHENTICATED', message: 'No.' },
  'session.unauthenticated': { reason: 'expired' },
  'session.refresh': { reason: 'soon', deadline_ms: 1 },
  'session.evicted': { reason: 'ABORTED' },
  ack: {},
}

/** The phase after an input: a message where the runtime sends it, else what the client did. */
function phaseAfter(phase: ArcpSessionPhase, input: SessionInput): ArcpSessionPhase {
  const draft = createStateDraft({ ...EMPTY_STATE, session: { phase } })
  const payload = PAYLOADS[input]
  if (payload === undefined) foldInput(draft, { type: 'fact', fact: { type: 'session-moved', input } })
  else foldInput(draft, readMessage({ arcp: '1.0', id: 'm', type: input, timestamp: '2026-03-01T08:15:00Z', payload }))
  return draft.snapshot().session.phase
}

describe('the phases of a session', () => {
  it('follow each other as the table says, by messages and by what the client does', () => {
    const steps = (next: (phase: ArcpSessionPhase, input: SessionInput) => ArcpSessionPhase) =>
      phases.flatMap((phase) => inputs.map((input) => `${phase} x ${input}: ${next(phase, input)}`))
    expect(steps(phaseAfter)).toEqual(steps((phase, input) => SESSION_PHASES[phase][input]))
  })

  it('are each reached from the first', () => {
    const reached = new Set<ArcpSessionPhase>(['idle'])
    for (const phase of reached) for (const next of Object.values(SESSION_PHASES[phase])) reached.add(next)
    expect([...reached].toSorted()).toEqual(phases.toSorted())
  })

  it('can each be left for another session', () => {
    for (const phase of phases) expect(SESSION_PHASES[phase]['session.open'], phase).toBe('opening')
  })
})
