// @vitest-environment jsdom
import { Blob as NodeBlob } from 'node:buffer'
import { fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ArtifactCard } from '../../src/components/artifact-card.tsx'

describe('an artifact', () => {
  it('is a name and a link, or words when the address is none', () => {
    const { rerender } = render(
      <ArtifactCard url="https://files.example/out/my%20report.pdf?x=1" mimeType="application/pdf" />,
    )
    expect(screen.getByText('my report.pdf')).toBeTruthy()
    expect(screen.getByRole('link').getAttribute('rel')).toBe('noopener noreferrer nofollow')
    rerender(<ArtifactCard artifactId="a-1" url="javascript:alert(1)" />)
    expect(screen.getByText('a-1')).toBeTruthy()
    expect(screen.queryByRole('link')).toBeNull()
    expect(screen.getByText('javascript:alert(1)')).toBeTruthy()
  })

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [3400, '3.4 kB'],
    [2_500_000, '2.5 MB'],
  ])('of %i bytes is said to have %s', (size, words) => {
    render(<ArtifactCard name="wavelengths.csv" artifactType="CSV" size={size} />)
    expect(screen.getByText(`CSV · ${words}`)).toBeTruthy()
  })

  it('says that it is being written, or that it failed', () => {
    const { container, rerender } = render(<ArtifactCard name="a.md" state="writing" />)
    expect(container.firstElementChild?.getAttribute('aria-busy')).toBe('true')
    expect(container.textContent).toBe('a.mdWriting')
    rerender(<ArtifactCard name="a.md" state="failed" />)
    expect(container.textContent).toBe('a.mdFailed')
    expect(container.firstElementChild?.hasAttribute('aria-busy')).toBe(false)
    rerender(<ArtifactCard name="a.md" />)
    expect(container.textContent).toBe('a.md')
  })

  it('with a broken address keeps its name as it is', () => {
    render(<ArtifactCard url="https://files.example/100%" />)
    expect(screen.getByText('100%')).toBeTruthy()
  })
})

describe('an artifact whose content came with it', () => {
  const saved: { readonly name: string; readonly blob: Blob; readonly url: string }[] = []
  let revoked: string[]

  beforeEach(() => {
    vi.useFakeTimers()
    saved.length = 0
    revoked = []
    const blobs: Blob[] = []
    // jsdom has neither of these, and its Blob cannot be read.
    vi.stubGlobal('Blob', NodeBlob)
    URL.createObjectURL = (blob) => `blob:test/${blobs.push(blob as Blob) - 1}`
    URL.revokeObjectURL = (url) => void revoked.push(url)
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push({ name: this.download, blob: blobs[Number(this.href.slice(10))] as Blob, url: this.href })
    })
  })
  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
    vi.useRealTimers()
    Reflect.deleteProperty(URL, 'createObjectURL')
    Reflect.deleteProperty(URL, 'revokeObjectURL')
  })
  const download = (): void => void fireEvent.click(screen.getByRole('button', { name: 'Download' }))
  const contents = (): Promise<string[]> => Promise.all(saved.map(({ blob }) => blob.text()))

  it.each([
    ['text', { text: 'bend;width\n1;20' }, 'bend;width\n1;20'],
    ['bytes', { bytes: btoa('\x00\x01binary') }, '\x00\x01binary'],
    ['JSON', { data: { bends: [1, 2] } }, '{\n  "bends": [\n    1,\n    2\n  ]\n}'],
    ['empty text', { text: '' }, ''],
  ])('saves %s when Download is pressed, and makes no address before', async (_, content, expected) => {
    render(<ArtifactCard name="rivers.csv" {...content} />)
    expect(saved).toEqual([])
    download()
    expect(saved.map(({ name }) => name)).toEqual(['rivers.csv'])
    expect(await contents()).toEqual([expected])
  })

  it('releases the address when the download has begun', () => {
    render(<ArtifactCard name="rivers.csv" text="1" />)
    download()
    expect(revoked).toEqual([])
    vi.runAllTimers()
    expect(revoked).toEqual(saved.map(({ url }) => url))
  })

  it('is saved as a type that no browser opens, whatever the agent says it is', () => {
    render(<ArtifactCard name="page.html" mimeType="text/html" text="<script>alert(1)</script>" />)
    download()
    expect(saved[0]?.blob.type).toBe('application/octet-stream')
  })

  it.each([
    ['../../.bashrc', '_.._.bashrc'],
    ['report\u202Efdp.exe', 'report_fdp.exe'],
    ['C:\\con|aux?.txt', 'C__con_aux_.txt'],
    ['...', 'file'],
  ])('named %j is saved as %j', (name, expected) => {
    render(<ArtifactCard name={name} text="1" />)
    download()
    expect(saved[0]?.name).toBe(expected)
  })

  it('says that it failed when its bytes are no base64, until there are others', () => {
    const { container, rerender } = render(<ArtifactCard name="a.bin" bytes="%%%" />)
    download()
    expect(saved).toEqual([])
    expect(container.textContent).toContain('Failed')
    rerender(<ArtifactCard name="a.bin" bytes="AAAA" />)
    expect(container.textContent).toBe('a.binDownload')
  })

  it('cannot be saved while it is being written', () => {
    render(<ArtifactCard name="a.md" text="# Riv" state="writing" />)
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('says its version, and that the agent never finished it', () => {
    const { container } = render(<ArtifactCard name="a.md" version={3} text="# Riv" state="unfinished" />)
    expect(container.textContent).toBe('a.mdVersion 3Not finishedDownload')
  })
})
