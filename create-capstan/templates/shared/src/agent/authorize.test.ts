import { expect, test } from 'vitest'
import { authorize } from './authorize'

test('lets in who uses this machine, and nobody else', () => {
  expect(authorize(new Request('http://localhost:3000/agent/assist'))).toBe('local-user')
  expect(authorize(new Request('https://app.example/agent/assist'))).toMatchObject({ status: 401 })
})
