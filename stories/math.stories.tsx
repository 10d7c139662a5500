import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, waitFor } from 'storybook/test'
import { DictionaryProvider } from '../src/components/dictionary/dictionary-context.tsx'
import { arabic } from '../src/strings/arabic.ts'
import { chinese } from '../src/strings/chinese.ts'
import { german } from '../src/strings/german.ts'
import { MarkdownBlock, MarkdownProvider } from '../src/components/markdown-block/markdown-block.tsx'
import { createMath } from '../src/components/create-math.tsx'
import { Growing } from './support/growing.tsx'
import '../src/formulas.css'

const RENDERERS = { math: createMath() }

const ANSWER = `The spacing of meanders grows with the width of the channel, $\\lambda \\approx 11\\,w$, and \\(w\\) with the discharge, $w = a\\,Q^{0.5}$. A survey costs $5 or $10 a metre.

$$
\\begin{aligned}
Q &= w\\,d\\,v \\\\
v &= \\frac{1}{n}\\,R^{2/3}\\,\\sqrt{S}
\\end{aligned}
$$

- At a bend: \\[ \\tau = \\rho\\,g\\,R\\,S, \\qquad R \\in \\mathbb{R}_{>0} \\]
- Over a year:

  $$ \\sum_{i=1}^{n} Q_i\\,\\Delta t = \\int_0^T Q(t)\\,dt $$

| Reach | Spacing |
|---|--:|
| upper | $11\\,w$ |
| lower | $\\boxed{14\\,w}$ |
`

const meta = {
  title: 'Parts/Formulas',
  component: MarkdownBlock,
  args: { content: ANSWER },
  decorators: [
    (Story) => (
      <MarkdownProvider renderers={RENDERERS}>
        <Story />
      </MarkdownProvider>
    ),
  ],
} satisfies Meta<typeof MarkdownBlock>

export default meta
type Story = StoryObj<typeof meta>

async function hasFormulas(canvasElement: HTMLElement, count: number): Promise<void> {
  await waitFor(() => expect(canvasElement.querySelectorAll('math')).toHaveLength(count), { timeout: 30_000 })
}

export const Complete: Story = {
  name: 'In lines, on lines of their own, in lists and tables',
  play: ({ canvasElement }) => hasFormulas(canvasElement, 8),
}

export const Forms: Story = {
  name: 'Matrices, cases, and letters',
  args: {
    content: `$$A = \\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}, \\quad f(x) = \\begin{cases} 1 & \\text{if } x > 0 \\\\ 0 & \\text{else} \\end{cases}$$

$$\\mathcal{L}(\\boldsymbol{\\theta}) = \\hat{\\mathbf{v}} \\cdot \\overline{AB} + \\underbrace{x + y}_{\\mathfrak{g}} \\tag{1}$$`,
  },
  play: ({ canvasElement }) => hasFormulas(canvasElement, 2),
}

export const Streaming: Story = {
  name: 'Streaming: source, then formula',
  render: ({ content }) => <Growing content={content} />,
  play: ({ canvasElement }) => hasFormulas(canvasElement, 8),
}

export const Failed: Story = {
  name: 'That KaTeX cannot read: its source',
  args: { content: 'A draft $\\frac{Q}{w$ of it, and\n\n$$\n\\unknown{Q} = 1\n$$' },
  play: async ({ canvas }) => {
    await waitFor(() =>
      expect(canvas.getAllByRole('group', { name: 'Formula that could not be shown' })).toHaveLength(2),
    )
  },
}

export const Narrow: Story = {
  name: '320 px: a long one scrolls',
  parameters: { frame: 'narrow' },
  args: { content: `$$${Array.from({ length: 20 }, (_, index) => `Q_{${index}}`).join(' + ')} = Q$$` },
  play: ({ canvasElement }) => hasFormulas(canvasElement, 1),
}

export const InGerman: Story = {
  name: 'German',
  render: () => (
    <DictionaryProvider strings={german}>
      <MarkdownBlock content={'Der Abstand ist $\\lambda = 11w$.\n\n$$\\frac{Q}{w$$'} />
    </DictionaryProvider>
  ),
  play: ({ canvasElement }) => hasFormulas(canvasElement, 1),
}

export const InArabic: Story = {
  name: 'Arabic: formulas run from left to right',
  globals: { direction: 'rtl' },
  render: () => (
    <DictionaryProvider strings={arabic}>
      <MarkdownBlock content={'المسافة بين المنعطفات هي $\\lambda = 11w$ تقريبًا.\n\n$$Q = w\\,d\\,v$$'} />
    </DictionaryProvider>
  ),
  play: ({ canvasElement }) => hasFormulas(canvasElement, 2),
}

export const InChinese: Story = {
  name: 'Chinese',
  render: () => (
    <DictionaryProvider strings={chinese}>
      <MarkdownBlock content={'河曲间距约为 $\\lambda = 11w$。\n\n$$Q = w\\,d\\,v$$'} />
    </DictionaryProvider>
  ),
  play: ({ canvasElement }) => hasFormulas(canvasElement, 2),
}
