// @vitest-environment jsdom
import { act, fireEvent, render, screen } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import '../show.tsx'

const schema = { type: 'object', properties: { a: { type: 'string' } } }

/** The form of a page that has not loaded its fields yet. */
async function newPage() {
  vi.resetModules()
  const [{ SchemaForm }, { formIn }] = await Promise.all([
    import('../../../src/components/schema-form/schema-form.tsx'),
    import('../../../src/components/schema-form/schema-form.tsx'),
  ])
  return {
    SchemaForm,
    loaded: () =>
      act(() =>
        formIn(undefined)
          .load()
          .catch(() => {}),
      ),
  }
}

afterEach(() => {
  vi.doUnmock('../../../src/components/schema-form/form-body.tsx')
})

it('fetches the fields for the first form, and renders nothing until then or on a server', async () => {
  const { SchemaForm, loaded } = await newPage()
  const form = <SchemaForm schema={schema} onSubmit={() => {}} aria-label="Form" />
  expect(renderToString(form)).toBe('')
  render(form)
  expect(screen.queryByRole('form')).toBeNull()
  await loaded()
  expect(screen.getByLabelText('a')).toBeTruthy()
})

it('says that the fields could not be loaded, and fetches them again', async () => {
  let isOnline = false
  const { SchemaForm, loaded } = await newPage()
  vi.doMock('../../../src/components/schema-form/form-body.tsx', async (original) => {
    if (!isOnline) throw new Error('offline')
    return original()
  })
  render(
    <SchemaForm schema={schema} onSubmit={() => {}} aria-label="Form">
      <button type="button">Decline</button>
    </SchemaForm>,
  )
  await loaded()
  expect(screen.getByRole('alert').textContent).toContain('Couldn’t load')
  expect(screen.getByRole('button', { name: 'Decline' })).toBeTruthy()
  isOnline = true
  vi.doUnmock('../../../src/components/schema-form/form-body.tsx')
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await loaded()
  expect(screen.getByLabelText('a')).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})
