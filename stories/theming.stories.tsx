import type { Meta, StoryObj } from '@storybook/react-vite'
import type { ReactElement } from 'react'
import { expect } from 'storybook/test'
import { Chat } from '../src/components/chat.tsx'
import { answer, part, said, SOURCES, text } from './support/messages.ts'
import { PARAGRAPHS, QUESTION } from './support/rivers.ts'
import { ShadcnPage } from './support/shadcn-page.tsx'
import { createStillChat } from './support/still-chat.tsx'
import { TokenTable } from './support/token-table.tsx'
import './theming.css'

const meta = {
  title: 'Theming/Look',
  parameters: {
    frame: 'full',
    controls: { disable: true },
    // Two whole chats on one page are for comparing: their landmarks have the same names.
    a11y: { config: { rules: [{ id: 'landmark-unique', enabled: false }] } },
    docs: {
      description: {
        component:
          'Colours, sizes and fonts are custom properties that begin with `--cs-`. Set any of them on `:root` or on an element around the parts. Light and dark follow `color-scheme`, or `data-theme` on any element around; `data-density="compact"` brings things closer, and `data-contrast="more"` does what the system setting does.',
      },
    },
  },
} satisfies Meta

export default meta
type Story = StoryObj<typeof meta>

const CONVERSATION = [
  said('u-1', QUESTION),
  answer('a-1', [
    part('thought-1', { type: 'thought', text: 'Uneven banks begin a bend.', status: 'complete' }),
    part('step-1', { type: 'progress', label: 'Read three notes', status: 'complete', fraction: 1 }),
    text(`${PARAGRAPHS[0] ?? ''} [1]`),
    part('sources-1', { type: 'citations', citations: SOURCES }),
  ]),
]

function Sample({ label }: { readonly label: string }): ReactElement {
  return (
    <div className="look-sample">
      <Chat chat={createStillChat({ messages: CONVERSATION })} title={label} aria-label={label} hideHint />
    </div>
  )
}

/** Every custom property of the style sheet, read from the sheet itself. */
export const Tokens: Story = {
  render: () => <TokenTable />,
  play: async ({ canvasElement }) => {
    const shown = [...canvasElement.querySelectorAll('tbody th')].map(({ textContent }) => textContent)
    await expect(new Set(shown)).toEqual(declaredTokens())
  },
}

/** The tokens the page really has, by the browser's own reading of the style sheets. */
function declaredTokens(): ReadonlySet<string> {
  const names = new Set<string>()
  const visit = (rule: CSSRule): void => {
    if (rule instanceof CSSStyleRule && rule.selectorText === ':where(:root, :host)') {
      for (const name of rule.style) if (name.startsWith('--cs-')) names.add(name)
    }
    if (rule instanceof CSSLayerBlockRule) for (const inner of rule.cssRules) visit(inner)
    if (rule instanceof CSSImportRule && rule.styleSheet) for (const inner of rule.styleSheet.cssRules) visit(inner)
  }
  for (const sheet of document.styleSheets) for (const rule of sheet.cssRules) visit(rule)
  return names
}

/** The same conversation on a light and on a dark ground, on one page. */
export const LightAndDark: Story = {
  tags: ['picture'],
  name: 'Light and dark',
  render: () => (
    <div className="look-pair">
      <div data-theme="light">
        <Sample label="Light" />
      </div>
      <div data-theme="dark">
        <Sample label="Dark" />
      </div>
    </div>
  ),
}

/** `data-density="compact"` on any element around: smaller text and less space between messages. */
export const Density: Story = {
  render: () => (
    <div className="look-pair">
      <Sample label="Comfortable" />
      <div data-density="compact">
        <Sample label="Compact" />
      </div>
    </div>
  ),
}

/** `data-contrast="more"`, or the setting of the system: text at least 7 to 1, edges at least 4.5 to 1. */
export const MoreContrast: Story = {
  name: 'More contrast',
  render: () => (
    <div className="look-pair">
      <div data-contrast="more" data-theme="light">
        <Sample label="Light, more contrast" />
      </div>
      <div data-contrast="more" data-theme="dark">
        <Sample label="Dark, more contrast" />
      </div>
    </div>
  ),
}

/** A brand in six lines: an accent, rounder corners, a narrower column. */
export const OwnTheme: Story = {
  name: 'Custom theme',
  render: () => (
    <div className="look-own">
      <Sample label="A theme of your own" />
    </div>
  ),
  play: async ({ canvasElement }) => {
    const bubble = canvasElement.querySelector('.cs-bubble')
    await expect(bubble && getComputedStyle(bubble).borderStartStartRadius).toBe('28px')
  },
}

/** `capstan/shadcn.css` reads the variables of a shadcn theme, so that the chat looks like the rest of the page. */
export const Shadcn: Story = {
  name: 'On a shadcn page',
  // The theme is the page's: it would reach the other stories of this one.
  parameters: { docs: { story: { inline: false, height: 620 } } },
  render: () => (
    <ShadcnPage>
      <Sample label="On a shadcn page" />
    </ShadcnPage>
  ),
  play: async ({ canvasElement }) => {
    const chat = canvasElement.querySelector('.cs-chat')
    const probe = document.createElement('div')
    probe.className = 'look-shadcn-probe'
    chat?.append(probe)
    await expect(chat && getComputedStyle(chat).backgroundColor).toBe(getComputedStyle(probe).backgroundColor)
    probe.remove()
  },
}
