import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { diagramFrame, FRAME_SCRIPT, FRAME_SCRIPT_HASH } from '../../src/components/diagram-frame.ts'

const policyOf = (document: string): string => /Content-Security-Policy" content="([^"]*)"/.exec(document)?.[1] ?? ''

describe('the document of the frame', () => {
  it('knows its script by its hash', () => {
    const hash = createHash('sha256').update(FRAME_SCRIPT).digest('base64')
    expect(FRAME_SCRIPT_HASH, `The script has changed. Write: sha256-${hash}`).toBe(`sha256-${hash}`)
    expect(diagramFrame('/mermaid.js')).toContain(`<script>${FRAME_SCRIPT}</script>`)
  })

  it('allows mermaid and its own script, and no address on the network', () => {
    const policy = policyOf(diagramFrame('https://cdn.example/mermaid.min.js?v=1'))
    expect(policy).toBe(
      `default-src 'none'; script-src https://cdn.example/mermaid.min.js '${FRAME_SCRIPT_HASH}'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'`,
    )
    expect(policyOf(diagramFrame('/mermaid.min.js'))).toContain("script-src 'self' 'sha256-")
  })

  it('comes before what it is about', () => {
    const document = diagramFrame('/mermaid.js')
    expect(document.indexOf('Content-Security-Policy')).toBeLessThan(document.indexOf('<script'))
  })

  it.each([
    'https://a.example/"><script>alert(1)</script>',
    "https://a.example/;script-src *;'unsafe-inline'",
    'https://a.example/ https://evil.example/',
  ])('is not opened by an address: %s', (url) => {
    const document = diagramFrame(url)
    expect(document.match(/<script/g)).toHaveLength(2)
    expect(policyOf(document).split(';')).toHaveLength(7)
    expect(policyOf(document)).not.toMatch(/script-src [^;]*(?:\*| https:\/\/evil|'unsafe-inline)/)
  })
})
