import { createRoot } from 'react-dom/client'
import { flushSync } from 'react-dom'
import { SchemaForm } from '../../src/components.ts'
import type { FieldError, JsonSchema } from '../../src/seam/prompt.ts'

// A page with one form of a schema, for a browser under a strict policy. What it notices itself is in `window.forms`.

export interface FormPage {
  /** Rules of the policy that were broken, and renders that threw. */
  readonly faults: string[]
  /** Values that were handed over. */
  readonly submitted: unknown[]
  /** Shows another form, and gives the time in milliseconds that it took to render. */
  show(schema: JsonSchema, more?: { readonly draftKey?: string; readonly initial?: unknown }): number
  /** Shows a form of a schema with so many properties, or so many objects inside of each other. */
  showAbsurd(kind: 'deep' | 'large' | 'long', size: number): number
  /** The agent refuses what was submitted last. */
  refuse(errors: readonly FieldError[]): void
}

declare global {
  interface Window {
    forms: FormPage
  }
}

const faults: string[] = []
document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
  faults.push(`${violatedDirective} ${blockedURI} ${sample}`.slice(0, 200)),
)
window.addEventListener('error', ({ message }) => faults.push(message))

const main = document.createElement('main')
document.body.append(main)
const root = createRoot(main, { onUncaughtError: (error) => faults.push(`uncaught: ${String(error).slice(0, 200)}`) })
const submitted: unknown[] = []

let forms = 0
let shown: Parameters<FormPage['show']> = [{}]
function render(errors?: readonly FieldError[]): void {
  const [schema, more] = shown
  flushSync(() =>
    root.render(
      <SchemaForm
        key={forms}
        schema={schema}
        {...more}
        errors={errors}
        aria-label="Form"
        onSubmit={(value) => submitted.push(value)}
      />,
    ),
  )
}

function show(...given: Parameters<FormPage['show']>): number {
  shown = given
  forms += 1
  const start = performance.now()
  render()
  return performance.now() - start
}

window.forms = {
  faults,
  submitted,
  show,
  showAbsurd(kind, size) {
    if (kind === 'long') return show({ type: 'object', title: 'x'.repeat(size) })
    if (kind === 'large')
      return show({
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: size }, (_, at) => [`property ${at}`, { type: 'string', description: 'a'.repeat(60) }]),
        ),
      })
    let schema: JsonSchema = { type: 'string' }
    for (let depth = 0; depth < size; depth += 1)
      schema = { type: 'object', properties: { a: schema }, required: ['a'] }
    return show(schema)
  },
  refuse: (errors) => render(errors),
}
show({})
