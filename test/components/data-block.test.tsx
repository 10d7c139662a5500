// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DataBlock, jsonText } from '../../src/components/data-block.tsx'
import type { ViewHint } from '../../src/seam/agent-event.ts'
import './show.tsx'

const cells = (): (string | null)[] => screen.getAllByRole('cell').map((cell) => cell.textContent)

describe('data as a table', () => {
  it('comes from columns and rows', () => {
    render(
      <DataBlock
        viewHint="TABLE"
        data={{
          columns: ['width', 'bends'],
          rows: [
            ['40 m', 4],
            ['250 m', 1],
          ],
        }}
      />,
    )
    expect(screen.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual(['width', 'bends'])
    expect(cells()).toEqual(['40 m', '4', '250 m', '1'])
  })

  it('comes from objects that do not all have the same keys', () => {
    render(<DataBlock viewHint="TABLE" data={[{ a: 1 }, { b: { c: 2 } }, 7, null, ['x', 'y', 'z']]} />)
    expect(cells()).toEqual(['1', '', '', '{"c":2}', '7', '', '', '', 'x', 'y'])
  })

  it('takes nothing from what every object has', () => {
    render(<DataBlock viewHint="TABLE" data={{ columns: ['constructor', 'toString'], rows: [{}] }} />)
    expect(cells()).toEqual(['', ''])
  })

  it('puts figures at the end side, also where one is missing', () => {
    render(
      <DataBlock
        viewHint="TABLE"
        data={[
          { name: 'Mole', bends: 4, seen: null },
          { name: 'Wey', bends: null, seen: null },
          { name: 'Arun', bends: 12 },
        ]}
      />,
    )
    expect(screen.getAllByRole('columnheader').map((head) => head.hasAttribute('data-numeric'))).toEqual([
      false,
      true,
      false,
    ])
  })

  it('is named by its caption', () => {
    render(<DataBlock viewHint="TABLE" data={[{ a: 1 }]} caption="Gauges" />)
    expect(screen.getByRole('table', { name: 'Gauges' })).toBeTruthy()
    expect(screen.getByText('Gauges')).toBeTruthy()
  })

  it('shows the first rows and the others when they are asked for, with the keyboard left in the data', () => {
    const { container } = render(
      <DataBlock viewHint="TABLE" data={Array.from({ length: 300 }, (_, index) => ({ index }))} />,
    )
    const rows = (): number => container.querySelectorAll('td').length
    expect(rows()).toBe(50)
    expect(screen.getByText(/250 more not shown/)).toBeTruthy()
    const more = screen.getByRole('button', { name: 'Show more' })
    more.focus()
    fireEvent.click(more)
    expect(rows()).toBe(250)
    expect(document.activeElement).toBe(more)
    fireEvent.click(more)
    expect(rows()).toBe(300)
    expect(screen.queryByRole('button')).toBeNull()
    expect(document.activeElement).toBe(container.firstElementChild)
  })

  it('that is too wide to be read as one is JSON', () => {
    const wide = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`c${index}`, index]))
    const { container } = render(<DataBlock viewHint="TABLE" data={[wide]} />)
    expect(container.querySelector('[data-view]')?.getAttribute('data-view')).toBe('json')
  })
})

describe('data', () => {
  it.each([
    ['LIST', ['one', { two: 2 }], 'list', 'one{"two":2}'],
    ['LIST', [], 'list', 'No data'],
    ['KEY_VALUE', { width: '40 m' }, 'pairs', 'width40 m'],
    ['KEY_VALUE', {}, 'pairs', 'No data'],
    ['TABLE', { columns: ['a'], rows: [] }, 'table', 'No data'],
    ['JSON', { a: [1] }, 'json', '{\n  "a": [\n    1\n  ]\n}'],
    ['TABLE', 'no table at all', 'json', 'no table at all'],
    ['TABLE', [1, 2], 'json', '[\n  1,\n  2\n]'],
    ['KEY_VALUE', null, 'json', 'null'],
    ['LIST', { length: 2 }, 'json', '{\n  "length": 2\n}'],
  ] as const)('%s of %j is shown as %s', (viewHint, data, view, words) => {
    const { container } = render(<DataBlock viewHint={viewHint} data={data} />)
    expect(container.querySelector('[data-view]')?.getAttribute('data-view')).toBe(view)
    expect(container.textContent).toBe(words)
  })

  it('that looks like an address stays text', () => {
    render(
      <DataBlock viewHint="KEY_VALUE" data={{ site: 'https://a.example', script: '<img src=x onerror=alert(1)>' }} />,
    )
    expect(screen.queryByRole('link')).toBeNull()
    expect(document.querySelector('img')).toBeNull()
    expect(screen.getByText('https://a.example')).toBeTruthy()
  })

  it('that refers to itself does not break the page', () => {
    const data: Record<string, unknown> = {}
    data['self'] = data
    const { container } = render(<DataBlock data={data} />)
    expect(container.textContent).toBe('…')
  })

  it('that is long is cut, with the length of the rest', () => {
    const { container } = render(<DataBlock data={'x'.repeat(20_001)} />)
    expect(container.textContent).toBe(`${'x'.repeat(20_000)}1 more character`)
  })

  it('that is nested deeply is not mostly indentation', () => {
    const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`
    expect(jsonText(JSON.parse(deep(2000)))).toEqual({ text: deep(2000), rest: 0 })
    // As deep as a parser goes, whatever becomes of it.
    expect(jsonText(JSON.parse(deep(7000))).text.length).toBeLessThanOrEqual(20_000)
  })

  it('of any shape under any hint is shown', () => {
    const hint = fc.constantFrom<ViewHint>('TABLE', 'LIST', 'KEY_VALUE', 'JSON')
    const key = fc.oneof(
      fc.string(),
      fc.constantFrom('__proto__', 'toString', 'constructor', 'columns', 'rows', 'length', 'toJSON'),
    )
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.string(),
        fc.double(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
        fc.record({ columns: fc.array(tie('value'), { maxLength: 3 }), rows: tie('value') }),
      ),
    }))
    fc.assert(
      fc.property(hint, value, (viewHint, data) => {
        const { container } = render(<DataBlock viewHint={viewHint} data={data} />)
        expect(container.querySelector('[data-view]')).not.toBeNull()
        cleanup()
      }),
      { numRuns: 200 },
    )
  })
})
