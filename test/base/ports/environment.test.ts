import { afterEach, describe, expect, it, vi } from 'vitest'
import { systemEnvironment } from '../../../src/base/ports/environment.ts'

const VERSION_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

afterEach(() => {
  vi.unstubAllGlobals()
})

/** A `crypto` as a page without HTTPS has it: neither `randomUUID` nor `subtle`. */
function insecureCrypto(fill?: number): object {
  const { crypto } = globalThis
  return {
    getRandomValues: (bytes: Uint8Array<ArrayBuffer>) =>
      fill === undefined ? crypto.getRandomValues(bytes) : bytes.fill(fill),
  }
}

describe('the id of the system environment', () => {
  it('is a version 4 UUID in a secure context', () => {
    expect(systemEnvironment.uuid()).toMatch(VERSION_4)
  })

  it('is a version 4 UUID in an insecure context, where crypto.randomUUID is missing', () => {
    vi.stubGlobal('crypto', insecureCrypto())
    const ids = Array.from({ length: 500 }, () => systemEnvironment.uuid())
    for (const id of ids) expect(id).toMatch(VERSION_4)
    expect(new Set(ids).size).toBe(500)
  })

  it.each([
    [0x00, '00000000-0000-4000-8000-000000000000'],
    [0xff, 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
    [0x56, '66666666-6666-4666-a666-666666666666'],
  ])('sets version and variant over random bytes %i and keeps the others', (fill, expected) => {
    vi.stubGlobal('crypto', insecureCrypto(fill))
    expect(systemEnvironment.uuid()).toBe(expected)
  })
})
