import { beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../../src/styles.css'
import { DataBlock } from '../../src/components/data-block.tsx'

const GAUGES = {
  columns: ['Channel width', 'Wavelength', 'Typical setting'],
  rows: [
    ['10 m', 120, 'Meadow stream'],
    ['250 m', 3000, 'Delta approach'],
  ],
}

const sized = (width: number) => (element: HTMLElement | null) => element?.style.setProperty('width', `${width}px`)
const frame = (): HTMLElement => {
  const found = document.querySelector<HTMLElement>('.cs-table')
  if (!found) throw new Error('No table is shown.')
  return found
}

beforeEach(async () => {
  await page.viewport(1280, 800)
})

describe('a table', () => {
  it('is a stop for the keyboard only while it scrolls, also when the page around it changes', async () => {
    const { container } = await render(
      <div ref={sized(688)}>
        <DataBlock viewHint="TABLE" data={GAUGES} caption="Gauges" />
      </div>,
    )
    expect(page.getByRole('group').elements()).toHaveLength(0)
    expect(frame().tabIndex).toBe(-1)
    sized(240)(container.querySelector('div'))
    await expect.element(page.getByRole('group', { name: 'Gauges' })).toHaveAttribute('tabindex', '0')
    await userEvent.tab()
    expect(document.activeElement).toBe(frame())
    await userEvent.keyboard('{ArrowRight}')
    await expect.poll(() => frame().scrollLeft).toBeGreaterThan(0)
    sized(688)(container.querySelector('div'))
    await expect.poll(() => page.getByRole('group').elements().length).toBe(0)
  })

  it('scrolls in itself and never widens the page', async () => {
    await page.viewport(320, 600)
    const wide = {
      columns: Array.from({ length: 30 }, (_, at) => `Column ${at}`),
      rows: [Array.from({ length: 30 }, () => 'x'.repeat(200))],
    }
    await render(<DataBlock viewHint="TABLE" data={wide} />)
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
  })

  it.each([
    ['ltr', 'right'],
    ['rtl', 'left'],
  ] as const)('sets figures of one width at the end side, from %s', async (dir, side) => {
    await render(
      <div dir={dir} ref={sized(688)}>
        <DataBlock viewHint="TABLE" data={GAUGES} />
      </div>,
    )
    const edges = ['120', '3000'].map((figures) => {
      const cell = page.getByRole('cell', { name: figures }).element()
      expect(getComputedStyle(cell).fontVariantNumeric).toBe('tabular-nums')
      return cell.querySelector('bdi')?.getBoundingClientRect()[side]
    })
    expect(edges[0]).toBe(edges[1])
    const words = ['Meadow stream', 'Delta approach'].map(
      (name) => page.getByText(name).element().getBoundingClientRect()[dir === 'ltr' ? 'left' : 'right'],
    )
    expect(words[0]).toBe(words[1])
  })
})

describe('keys and values', () => {
  it('of any length stay within the page', async () => {
    await page.viewport(320, 600)
    await render(
      <DataBlock viewHint="KEY_VALUE" data={{ ['key'.repeat(80)]: 'value'.repeat(200), list: [1, 2, { three: 3 }] }} />,
    )
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
  })
})
