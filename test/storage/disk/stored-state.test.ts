import { expect, it } from 'vitest'
import { packState } from '../../../src/storage/disk/stored-state.ts'
import { EMPTY_STATE, createStateReader } from '../../../src/storage/disk/versioned-state.ts'
import { createScriptedPeer } from '../../support/scripted-peer.ts'

it('a stored state names the calls that are in it, so that the next leader performs none of them again', () => {
  const { protocol } = createScriptedPeer()
  const reader = createStateReader(protocol.createError.bind(protocol))
  const stored = structuredClone(
    packState({ ...EMPTY_STATE, term: 3, revision: 5, performed: ['call-1', 'call-2'] }, []),
  )
  expect(reader.read(stored, new Map())).toMatchObject({ term: 3, revision: 5, performed: ['call-1', 'call-2'] })
})
