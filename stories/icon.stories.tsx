import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import type { IconName } from '../src/components/internals/icon.tsx'
import { Icon } from '../src/components/internals/icon.tsx'
import './icon.css'

const meta = { title: 'Parts/Icon', component: Icon, args: { name: 'info' } } satisfies Meta<typeof Icon>

export default meta
type Story = StoryObj<typeof meta>

export const One: Story = {
  name: 'Inherits the text colour',
  play: async ({ canvasElement }) => {
    await expect(canvasElement.querySelector('svg')).toHaveAttribute('aria-hidden', 'true')
  },
}

/** A record and not a list, so that a glyph left out is a type error. */
const NAMES: Readonly<Record<IconName, true>> = {
  alert: true,
  check: true,
  chevron: true,
  clock: true,
  copy: true,
  cut: true,
  down: true,
  edit: true,
  fatal: true,
  file: true,
  hidden: true,
  image: true,
  info: true,
  left: true,
  lock: true,
  offline: true,
  out: true,
  pending: true,
  play: true,
  plus: true,
  puzzle: true,
  retry: true,
  right: true,
  spin: true,
  stop: true,
  'thumb-down': true,
  'thumb-up': true,
  tool: true,
  trash: true,
  up: true,
  wave: true,
  x: true,
}

export const All: Story = {
  name: 'Every glyph',
  render: () => (
    <ul className="icon-grid">
      {Object.keys(NAMES).map((name) => (
        <li key={name}>
          {/* The keys are the names. */}
          <Icon name={name as IconName} size={20} />
          {name}
        </li>
      ))}
    </ul>
  ),
}

export const Sizes: Story = {
  name: '20, 16 and 14 pixels, with strokes of one weight',
  render: () => (
    <p className="icon-row">
      <Icon name="clock" size={20} /> <Icon name="clock" size={16} /> <Icon name="clock" size={14} />
    </p>
  ),
}

export const Turning: Story = {
  name: 'Glyphs that turn with the direction of writing',
  render: () => (
    <p className="icon-row">
      <span dir="ltr">
        <Icon name="right" /> <Icon name="chevron" />
      </span>{' '}
      <span dir="rtl">
        <Icon name="right" /> <Icon name="chevron" />
      </span>
    </p>
  ),
}

export const Own: Story = {
  name: 'Custom glyph',
  args: { size: 20 },
  render: ({ name: _name, ...args }) => (
    <Icon {...args}>
      <path d="M3 13c3-6 5-6 7 0s4 6 7 0" />
    </Icon>
  ),
}
