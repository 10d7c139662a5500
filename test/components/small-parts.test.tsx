// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { AgentErrorInit } from '../../src/base/agent-error.ts'
import { ArtifactCard } from '../../src/components/artifact-card/artifact-card.tsx'
import { AttachmentChip } from '../../src/components/composer/attachment-chip.tsx'
import { DictionaryProvider } from '../../src/components/dictionary/dictionary-context.tsx'
import { GapMark } from '../../src/components/gap-mark/gap-mark.tsx'
import { MediaCarousel } from '../../src/components/media-carousel/media-carousel.tsx'
import { Skeleton } from '../../src/components/skeleton/skeleton.tsx'
import { ToolCall } from '../../src/components/tool-call/tool-call.tsx'
import { TypingIndicator } from '../../src/components/typing-indicator/typing-indicator.tsx'
import { UnknownEvent } from '../../src/components/unknown-event/unknown-event.tsx'
import { UserNotice } from '../../src/components/user-notice/user-notice.tsx'
import { WarningNote } from '../../src/components/warning-note/warning-note.tsx'
import { errorOf } from './fake-chat.ts'
import { pass } from './show.tsx'

describe('an artifact', () => {
  it('is a name and a link, or words when the address is none', () => {
    const { rerender } = render(<ArtifactCard url="https://files.example/out/my%20report.pdf?x=1" mimeType="application/pdf" />)
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

describe('a tool call', () => {
  it('says what it does, and has what went in and what came out', () => {
    const { container, rerender } = render(<ToolCall name="gauges.estimate" status="running" input={{ file: 'gauges.csv' }} />)
    expect(container.querySelector('summary')?.textContent).toBe('Running gauges.estimate')
    expect(container.querySelector('pre')?.textContent).toBe('{\n  "file": "gauges.csv"\n}')
    rerender(<ToolCall name="gauges.estimate" status="complete" input={{}} output={false} durationMs={1200} />)
    expect(container.querySelector('summary')?.textContent).toBe('Used gauges.estimate1 s')
    expect([...container.querySelectorAll('pre')].map((pre) => pre.textContent)).toEqual(['{}', 'false'])
    rerender(<ToolCall name="gauges.estimate" status="failed" output="no such file" />)
    expect(container.querySelector('summary')?.textContent).toBe('gauges.estimate failed')
    expect(container.querySelector('details')?.dataset['state']).toBe('failed')
  })

  it('counts its seconds while it runs', () => {
    vi.useFakeTimers()
    try {
      const { container, rerender } = render(<ToolCall name="x" status="running" />)
      pass(3000)
      expect(container.querySelector('summary')?.textContent).toBe('Running x3 s')
      rerender(<ToolCall name="x" status="complete" />)
      pass(3000)
      expect(container.querySelector('summary')?.textContent).toBe('Used x3 s')
    } finally {
      vi.useRealTimers()
    }
  })

  it('that never came back stands still when the answer has ended, and says so', () => {
    const { container, rerender } = render(<ToolCall name="x" status="running" />)
    expect(document.querySelector('.cs-shimmer')).not.toBeNull()
    rerender(<ToolCall name="x" status="running" live={false} />)
    expect(document.querySelector('.cs-shimmer')).toBeNull()
    expect(container.querySelector('summary')?.textContent).toBe('x did not finish')
    expect(container.querySelector('details')?.dataset['state']).toBe('unfinished')
  })

  it('with a payload beyond all measure shows its beginning', () => {
    const { container } = render(<ToolCall name="x" status="complete" output={'y'.repeat(5_000_000)} />)
    expect(container.querySelector('pre')?.textContent).toHaveLength(20_000)
    expect(container.textContent).toContain('4,980,000 more characters')
  })
})

describe('an event without a part', () => {
  it('is kept as it came, folded', () => {
    const { container } = render(<UnknownEvent name="MAP_OVERLAY" raw={{ layer: 'reach-14' }} />)
    expect(container.querySelector('details')?.open).toBe(false)
    expect(container.querySelector('summary')?.textContent).toBe('Unknown eventMAP_OVERLAY')
    expect(container.querySelector('pre')?.textContent).toBe('{\n  "layer": "reach-14"\n}')
  })
})

describe('a notice of the agent', () => {
  it('is a note and no alarm', () => {
    render(<UserNotice message="That file is over 10 MB." />)
    expect(screen.getByRole('note').textContent).toBe('That file is over 10 MB.')
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('has its facts folded, and a way to try again only where that may help', () => {
    const retry = vi.fn()
    const { container, rerender } = render(<UserNotice message="Slow." code={0} domain="llm" details={{ after: 1 }} onRetry={retry} />)
    expect(container.querySelector('details')?.textContent).toBe('Details0 · llm{\n  "after": 1\n}')
    expect(screen.queryByRole('button')).toBeNull()
    rerender(<UserNotice message="Slow." retryable onRetry={retry} />)
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(retry).toHaveBeenCalledOnce()
  })
})

describe('a mark of missing packets', () => {
  it('opens to their numbers', () => {
    const click = vi.fn()
    render(<GapMark after={3} before={7} onClick={click} />)
    const mark = screen.getByRole('button', { name: '3 packets missing', expanded: false })
    fireEvent.click(mark)
    expect(mark.textContent).toBe('3 packets missing, numbers 4 to 6')
    expect(mark.hasAttribute('data-open')).toBe(true)
    expect(click).toHaveBeenCalledOnce()
  })
})

describe('a warning', () => {
  it('is a note with the words of the agent and its code', () => {
    const dismiss = vi.fn()
    render(<WarningNote error={errorOf({ severity: 'WARNING', message: 'Elevation data is from 2019.', agentCode: 'stale_source' })} onDismiss={dismiss} />)
    expect(screen.getByRole('note').textContent).toBe('Warning: Elevation data is from 2019. stale_source')
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(dismiss).toHaveBeenCalledOnce()
  })

  it('is told in the words of the host where it has some for the code', () => {
    const told = (init: Partial<AgentErrorInit>): string | null => {
      const { container } = render(
        <DictionaryProvider
          words={{
            errorMessages: { rate_limited: { title: 'Slow down', text: 'You are on the free plan.' }, agent_error: ({ message }) => ({ title: 'Hm', text: `It says: ${message}` }) },
            agentErrorMessages: { stale_source: ({ details }) => ({ title: 'Old data', text: `From ${String(details?.['year'])}.` }) },
          }}
        >
          <WarningNote error={errorOf({ severity: 'WARNING', message: 'Elevation data is old.', ...init })} />
        </DictionaryProvider>,
      )
      return container.textContent
    }
    expect(told({ agentCode: 'STALE_SOURCE', details: { year: 2019 } })).toBe('Warning: Old data · From 2019. STALE_SOURCE')
    expect(told({ agentCode: 'rate_limit_exceeded' })).toBe('Warning: Slow down · You are on the free plan. rate_limit_exceeded')
    expect(told({ agentCode: 'constructor' })).toBe('Warning: It says: Elevation data is old. constructor')
    expect(told({ agentCode: 'upstream_timeout' })).toBe('Warning: A service the agent needs is slow · What has come so far is kept. upstream_timeout')
  })
})

describe('the glyph of a file', () => {
  it.each([
    ['image/png', 'image'],
    ['audio/ogg', 'wave'],
    ['video/webm; codecs=vp9', 'play'],
    ['application/pdf', 'file'],
    ['constructor', 'file'],
    [undefined, 'file'],
  ])('of type %s is %s, on an artifact, in the row of media and beside a message', (mimeType, glyph) => {
    const { container } = render(
      <>
        <ArtifactCard name="a" mimeType={mimeType} />
        <MediaCarousel items={[{ url: 'https://files.example/a', mimeType: mimeType ?? '' }]} />
        <AttachmentChip name="a" mimeType={mimeType} />
      </>,
    )
    expect([...container.querySelectorAll<SVGElement>(':not(a) > svg')].map((svg) => svg.dataset['name'])).toEqual([glyph, glyph, glyph])
  })
})

describe('waiting', () => {
  it('for the first word is a picture with a name', () => {
    render(<TypingIndicator />)
    expect(screen.getByRole('img', { name: 'Waiting for the answer' })).toBeTruthy()
  })

  it('for a conversation is unseen for a moment, then told once and drawn for eyes only', () => {
    vi.useFakeTimers()
    try {
      render(<Skeleton turns={2} />)
      const status = screen.getByRole('status')
      pass(299)
      expect(status.innerHTML).toBe('')
      pass(1)
      expect(status.textContent).toBe('Loading the conversation')
      expect([...status.querySelectorAll('.cs-bone')].every((bone) => bone.closest('[aria-hidden="true"]'))).toBe(true)
      expect(status.querySelectorAll('[aria-hidden="true"]')).toHaveLength(2)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('every part', () => {
  const warning = errorOf({ severity: 'WARNING' })
  it.each([
    ['artifact', <ArtifactCard key="a" render={(props) => <section {...props} />} className="mine" id="mine" />],
    ['tool call', <ToolCall key="t" name="x" status="failed" render={(props) => <section {...props} />} className="mine" id="mine" />],
    ['unknown event', <UnknownEvent key="u" name="x" raw={1} render={(props) => <section {...props} />} className="mine" id="mine" />],
    ['notice', <UserNotice key="n" message="x" render={(props) => <section {...props} />} className="mine" id="mine" />],
    ['gap', <GapMark key="g" after={1} before={3} render={(props) => <section {...props} />} className="mine" id="mine" />],
    ['warning', <WarningNote key="w" error={warning} render={(props) => <section {...props} />} className="mine" id="mine" />],
    ['skeleton', <Skeleton key="s" render={(props) => <section {...props} />} className="mine" id="mine" />],
  ])('%s stands on an element of your own, with its class and your attributes', (_, part) => {
    const { container } = render(part)
    const root = container.querySelector('section')
    expect(root?.id).toBe('mine')
    expect(root?.className).toMatch(/^cs-.* mine$/)
  })
})
