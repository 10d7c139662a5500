import { expect, it } from 'vitest'
import { systemEnvironment } from '../../src/base/ports/environment.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import { serve } from './served-runtime.ts'

it('are not to be told from those of sessions that were opened at the same time: an id is all that resumes an anonymous one', async () => {
  const { uuid } = systemEnvironment
  const { raw } = serve({ tools: {} }, { ...createManualEnvironment(), uuid })
  const ids: string[] = []
  for (let client = 0; client < 8; client += 1)
    ids.push(String((await raw()).last('session.accepted').payload['session_id']))
  // Ids that count on have all but their last letters in common.
  expect(new Set(ids.map((id) => id.slice(0, -4))).size).toBe(ids.length)
})
