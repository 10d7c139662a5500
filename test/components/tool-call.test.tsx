// @vitest-environment jsdom
import { render } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { DictionaryProvider } from '../../src/components/dictionary/dictionary-context.tsx'
import { ToolCall } from '../../src/components/tool-call.tsx'
import { german } from '../../src/locales.ts'
import { pass } from './show.tsx'

describe('a tool call', () => {
  it('shows its name, input and result', () => {
    const { container, rerender } = render(
      <ToolCall name="gauges.estimate" status="running" input={{ file: 'gauges.csv' }} />,
    )
    expect(container.querySelector('summary')?.textContent).toBe('Running gauges.estimate')
    expect(container.querySelector('pre')?.textContent).toBe('{\n  "file": "gauges.csv"\n}')
    rerender(<ToolCall name="gauges.estimate" status="complete" input={{}} output={false} durationMs={1200} />)
    expect(container.querySelector('summary')?.textContent).toBe('Used gauges.estimate1 s')
    expect([...container.querySelectorAll('pre')].map((pre) => pre.textContent)).toEqual(['{}', 'false'])
    rerender(<ToolCall name="gauges.estimate" status="failed" output="no such file" />)
    expect(container.querySelector('summary')?.textContent).toBe('gauges.estimate failed')
    expect(container.querySelector('details')?.dataset['state']).toBe('failed')
  })

  it.each([
    ['preparing', 'Preparing x'],
    ['waiting', 'x is waiting for you'],
    ['denied', 'x wasn’t allowed'],
  ] as const)('that is %s says so', (status, words) => {
    const { container } = render(<ToolCall name="x" status={status} />)
    expect(container.querySelector('summary')?.textContent).toBe(words)
    expect(container.querySelector('details')?.dataset['state']).toBe(status)
  })

  it.each([
    ['failed', 'The tool failed.', 'Das Tool ist fehlgeschlagen.'],
    ['failed', 'It was not allowed.', 'Das wurde abgelehnt.'],
    ['failed', 'There is no tool "x". The tools are: a, b.', 'Das Tool ist fehlgeschlagen.'],
    ['denied', 'The user did not allow it.', 'Das wurde abgelehnt.'],
    ['denied', { error: 'It was not allowed.' }, 'Das wurde abgelehnt.'],
  ] as const)('that is %s shows %j in the language of the page', (status, output, shown) => {
    const { container } = render(
      <DictionaryProvider strings={german}>
        <ToolCall name="x" status={status} output={output} />
      </DictionaryProvider>,
    )
    expect(container.querySelector('pre')?.textContent).toBe(shown)
  })

  it.each([
    ['complete', 'The tool failed.'],
    ['failed', 'The tool failed at sea.'],
    ['failed', { error: 'The tool is lost.', code: 3 }],
  ] as const)('that is %s shows %j as the agent sent it', (status, output) => {
    const { container } = render(
      <DictionaryProvider strings={german}>
        <ToolCall name="x" status={status} output={output} />
      </DictionaryProvider>,
    )
    expect(container.querySelector('pre')?.textContent).toContain(
      typeof output === 'string' ? output : '"The tool is lost."',
    )
  })

  it('shows the beginning of its input until all of it is there', () => {
    const { container, rerender } = render(<ToolCall name="x" status="preparing" partialInput={'{"file":"gau'} />)
    expect(container.querySelector('pre')?.textContent).toBe('{"file":"gau')
    rerender(<ToolCall name="x" status="running" partialInput={'{"file":"gau'} input={null} />)
    expect(container.querySelector('pre')?.textContent).toBe('null')
  })

  it.each(['preparing', 'waiting'] as const)('that is %s when the answer ends did not finish', (status) => {
    const { container } = render(<ToolCall name="x" status={status} live={false} />)
    expect(container.querySelector('summary')?.textContent).toBe('x did not finish')
    expect(container.querySelector('.cs-shimmer')).toBeNull()
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

  it('that never came back stops moving when the answer has ended, and says so', () => {
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
