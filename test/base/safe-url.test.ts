import { describe, expect, it } from 'vitest'
import { safeLink, safeMedia } from '../../src/base/safe-url.ts'

describe('the gate for addresses', () => {
  it.each(['https://a.example/x', 'http://a.example', 'mailto:a@b.example', 'HTTPS://A.EXAMPLE'])(
    'lets %s be a link',
    (address) => {
      expect(safeLink(address)).toBeInstanceOf(URL)
    },
  )

  it.each([
    'javascript:alert(1)',
    ' \u0001java\nscript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    'blob:https://a.example/1',
    'file:///etc/passwd',
    '//a.example/x',
    '/relative',
    '#hash',
    '',
    'https://',
    undefined,
  ])('lets %j be text only', (address) => {
    expect(safeLink(address)).toBeUndefined()
  })

  it('loads no picture by mail, and none that is not remote', () => {
    expect(safeMedia('https://a.example/x.png')?.href).toBe('https://a.example/x.png')
    expect(safeMedia('mailto:a@b.example')).toBeUndefined()
    expect(safeMedia('data:image/svg+xml,<svg onload=alert(1)>')).toBeUndefined()
  })
})
