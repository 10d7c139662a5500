// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { ArtifactCard } from '../../../src/components/artifact-card/artifact-card.tsx'

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
