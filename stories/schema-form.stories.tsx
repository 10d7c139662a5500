import type { Decorator, Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn, waitFor } from 'storybook/test'
import { DictionaryProvider } from '../src/components/dictionary/dictionary-context.tsx'
import { arabic } from '../src/strings/arabic.ts'
import { chinese } from '../src/strings/chinese.ts'
import { german } from '../src/strings/german.ts'
import { arabicForm } from '../src/strings/arabic-pack.ts'
import { chineseForm } from '../src/strings/chinese-pack.ts'
import { germanForm } from '../src/strings/german-pack.ts'
import { formIn } from '../src/components/schema-form/schema-form.tsx'
import { SchemaForm } from '../src/components/schema-form/schema-form.tsx'
import type { DictionaryOverrides } from '../src/strings/dictionary.ts'

const trip = {
  type: 'object',
  title: 'Gauge visit',
  description: 'The agent books a boat for you. You can change everything later.',
  properties: {
    name: { type: 'string', title: 'Name', description: 'As the boatman shall call you', minLength: 2 },
    email: { type: 'string', title: 'Email', format: 'email' },
    day: { type: 'string', title: 'Day', format: 'date' },
    people: { type: 'integer', title: 'People', minimum: 1, maximum: 6, default: 2 },
    boat: { type: 'string', title: 'Boat', enum: ['punt', 'canoe', 'barge'], enumNames: ['Punt', 'Canoe', 'Barge'] },
    wants: {
      type: 'array',
      title: 'Bring along',
      items: { enum: ['Lunch', 'Life jackets', 'A map of the bends'] },
      default: ['Lunch'],
    },
    remind: { type: 'boolean', title: 'Remind me the day before', default: true },
  },
  required: ['name', 'email', 'boat'],
}

const nested = {
  type: 'object',
  properties: {
    gauges: {
      type: 'array',
      title: 'Gauges',
      items: { type: 'string' },
      minItems: 1,
      default: ['Upper weir', 'Bridge'],
    },
    station: {
      type: 'object',
      title: 'Station',
      properties: {
        river: { type: 'string', title: 'River' },
        place: {
          type: 'object',
          title: 'Place',
          properties: { x: { type: 'number', title: 'Latitude' }, y: { type: 'number', title: 'Longitude' } },
        },
      },
      required: ['river'],
    },
    alarm: {
      title: 'Alarm',
      oneOf: [
        {
          title: 'By mail',
          properties: {
            by: { const: 'mail', title: 'Way' },
            address: { type: 'string', title: 'Address', format: 'email' },
          },
          required: ['by', 'address'],
        },
        { title: 'None', properties: { by: { const: 'none', title: 'Way' } }, required: ['by'] },
      ],
      default: { by: 'mail', address: 'ann@rivers.example' },
    },
    extra: { type: 'object', title: 'Other settings', additionalProperties: { type: 'integer' } },
  },
  required: ['gauges'],
}

const inLanguage =
  (strings: DictionaryOverrides, lang: string, dir: 'ltr' | 'rtl' = 'ltr'): Decorator =>
  (Story) => (
    <DictionaryProvider strings={strings}>
      <div lang={lang} dir={dir}>
        <Story />
      </div>
    </DictionaryProvider>
  )

/** Inputs for the values that a JSON Schema asks for, such as an agent's form or the arguments of a tool. */
const meta = {
  title: 'Parts/Schema form',
  component: SchemaForm,
  beforeEach: () => formIn(undefined).load(),
  args: { schema: trip, onSubmit: fn(), onCancel: fn(), 'aria-label': 'Gauge visit' },
} satisfies Meta<typeof SchemaForm>

export default meta
type Story = StoryObj<typeof meta>

export const Fields: Story = {
  name: 'Every kind of field that MCP asks for',
}

export const Filled: Story = {
  name: 'Filled in and submitted',
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByLabelText(/^Name/), 'Ada')
    await userEvent.tab()
    await userEvent.keyboard('ada@rivers.example')
    await userEvent.selectOptions(canvas.getByLabelText(/^Boat/), 'Canoe')
    await userEvent.click(canvas.getByLabelText('A map of the bends'))
    await userEvent.click(canvas.getByRole('button', { name: 'Submit' }))
    await waitFor(() =>
      expect(args.onSubmit).toHaveBeenCalledWith({
        name: 'Ada',
        email: 'ada@rivers.example',
        people: 2,
        boat: 'canoe',
        wants: ['Lunch', 'A map of the bends'],
        remind: true,
      }),
    )
  },
}

export const Wrong: Story = {
  name: 'Something is wrong',
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByLabelText(/^Email/), 'ada')
    await userEvent.type(canvas.getByLabelText(/^People/), '0')
    await userEvent.keyboard('{Enter}')
    await expect(await canvas.findByRole('group', { name: 'Correct 4 fields' })).toBeVisible()
    await expect(canvas.getByLabelText(/^Name/)).toHaveFocus()
    await expect(args.onSubmit).not.toHaveBeenCalled()
  },
}

export const Refused: Story = {
  name: 'Refused by the agent',
  args: {
    initial: { name: 'Ada', email: 'ada@rivers.example', boat: 'barge', day: '2025-03-09' },
    errors: [
      { path: '/boat', message: 'The barge is in dock until Tuesday' },
      { path: '', message: 'Nobody can go on that day' },
    ],
  },
}

export const Disabled: Story = {
  name: 'While it is sent',
  args: { ...Refused.args, errors: undefined, disabled: true },
}

export const Nested: Story = {
  name: 'Lists, groups, variants and JSON',
  args: { schema: nested },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Add to Gauges' }))
    await expect(canvas.getByLabelText('Item 3')).toHaveFocus()
    await userEvent.click(canvas.getByRole('button', { name: 'Remove item 1 from Gauges' }))
    await expect(canvas.getByLabelText('Item 1')).toHaveValue('Bridge')
  },
}

export const Narrow: Story = { name: '320 pixels', parameters: { frame: 'narrow' }, args: { schema: nested } }

export const Credential: Story = {
  name: 'Asks for a credential',
  args: {
    schema: {
      type: 'object',
      properties: {
        password: { type: 'string', title: 'Password of your mailbox', description: '\u202Eyfirev ot deen eW' },
        code: { type: 'string', title: 'Code', pattern: '^(a+)+$' },
      },
    },
  },
}

export const Large: Story = {
  name: 'Too large for fields',
  args: {
    schema: {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`value${at}`, { type: 'string' }])),
    },
  },
}

const wrongIn =
  (submit: string, summary: RegExp): NonNullable<Story['play']> =>
  async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: submit }))
    await expect(await canvas.findByRole('group', { name: summary })).toBeVisible()
  }

export const German: Story = {
  name: 'German',
  args: { strings: germanForm },
  decorators: [inLanguage(german, 'de')],
  play: wrongIn('Absenden', /^3 Felder/),
}

export const Arabic: Story = {
  name: 'Arabic',
  args: { strings: arabicForm },
  decorators: [inLanguage(arabic, 'ar', 'rtl')],
  play: wrongIn('إرسال', /^صحّح/),
}

export const Chinese: Story = {
  name: 'Chinese',
  args: { strings: chineseForm },
  decorators: [inLanguage(chinese, 'zh')],
  play: wrongIn('提交', /^请更正/),
}
