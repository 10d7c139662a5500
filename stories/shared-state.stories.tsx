import type { Meta, StoryObj } from '@storybook/react-vite'
import type { ReactNode } from 'react'
import { expect, waitFor } from 'storybook/test'
import { isListOf, isNumber, isString, shape } from '../src/base/guards.ts'
import type { StandardSchema } from '../src/base/standard-schema.ts'
import { useAgentState } from '../src/react/use-agent-state.ts'
import type { MessagePart } from '../src/state/turn.ts'
import { answer, part, said, text } from './support/messages.ts'
import { chatIn, withChat } from './support/still-chat.tsx'

interface Recipe {
  readonly title: string
  readonly servings: number
  readonly steps: readonly string[]
}

const isRecipe = shape<Recipe>({ title: isString, servings: isNumber, steps: isListOf(isString) })

/** What a library such as Zod makes. */
const recipe: StandardSchema<Recipe> = {
  '~standard': {
    version: 1,
    validate: (value) => (isRecipe(value) ? { value } : { issues: [{ message: 'No recipe.' }] }),
  },
}

const WORDS = {
  empty: 'Nobody has written anything yet.',
  shared: 'The agent has this recipe.',
  changed: 'The agent gets your changes with your next message.',
} as const

/** A component of an app: a recipe that the agent and the user write together. */
function RecipeCard(): ReactNode {
  const { state, status, error, setState, discard } = useAgentState({
    schema: recipe,
    initial: { title: '', servings: 2, steps: [] },
  })
  const change = (changed: Partial<Recipe>): void => void setState((before) => ({ ...before, ...changed }))
  return (
    <section aria-label="Recipe" style={{ display: 'grid', gap: '0.75rem', maxInlineSize: '24rem' }}>
      <label>
        Title <input value={state.title} onChange={({ target }) => change({ title: target.value })} />
      </label>
      <div>
        <span>{`${state.servings} servings `}</span>
        <button
          type="button"
          className="cs-button"
          data-kind="plain"
          onClick={() => change({ servings: state.servings + 1 })}
        >
          One more
        </button>
      </div>
      <ol>
        {state.steps.map((step, at) => (
          // Steps come at the end and never change places.
          <li key={at}>{step}</li>
        ))}
      </ol>
      <p role="status">{WORDS[status]}</p>
      {error && <p role="alert">{error.message}</p>}
      {status === 'changed' && (
        <button type="button" className="cs-button" data-kind="plain" onClick={discard}>
          Undo my changes
        </button>
      )}
    </section>
  )
}

const state = (value: unknown, edit?: string): MessagePart => part('state', { type: 'state', state: value, edit })
const SOUP: Recipe = { title: 'Leek soup', servings: 2, steps: ['Cut the leek.', 'Boil it.'] }
const shown = (value: unknown): object => ({
  chat: { messages: [said('q', 'A soup, please.'), answer('a', [text('Here it is.'), state(value)])] },
})

const meta = {
  title: 'Parts/Shared state',
  component: RecipeCard,
  decorators: [withChat],
} satisfies Meta<typeof RecipeCard>

export default meta
type Story = StoryObj<typeof meta>

export const Empty: Story = {
  name: 'Before anybody has said anything',
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('status')).toHaveTextContent(WORDS.empty)
  },
}

export const Shared: Story = { name: 'As the agent has it', parameters: shown(SOUP) }

export const Changed: Story = {
  name: 'Changed by the user, while the agent changes it too',
  parameters: shown(SOUP),
  play: async ({ canvas, canvasElement, userEvent }) => {
    const title = canvas.getByRole('textbox', { name: 'Title' })
    await userEvent.clear(title)
    await userEvent.type(title, 'Stew')
    await userEvent.click(canvas.getByRole('button', { name: 'One more' }))
    const chat = chatIn(canvasElement)
    chat.change('a', { parts: [text('Here it is.'), state({ ...SOUP, steps: [...SOUP.steps, 'Eat it.'] })] })
    await waitFor(() => expect(canvas.getByText('Eat it.')).toBeVisible())
    await expect(title).toHaveValue('Stew')
    await expect(canvas.getByText('3 servings')).toBeVisible()
    await expect(canvas.getByRole('status')).toHaveTextContent(WORDS.changed)
  },
}

export const Refused: Story = {
  name: 'A state that does not fit: the one before stays',
  parameters: shown(SOUP),
  play: async ({ canvas, canvasElement }) => {
    chatIn(canvasElement).change('a', { parts: [text('Here it is.'), state({ title: 5 })] })
    await expect(await canvas.findByRole('alert')).toBeVisible()
    await expect(canvas.getByText('Boil it.')).toBeVisible()
  },
}
