import type { AnyAsk, AnyResult, ApprovalAsk, JsonSchema } from '../../../src/server.ts'

type ChoiceAsk = Extract<AnyAsk, { readonly kind: 'choice' }>

/** A question as a form, which is how a task asks, and what an answer to it means. */
export interface AskedForm {
  readonly message: string
  readonly schema: JsonSchema
  /** @param value the values of the form, or what the user said in words */
  read(value: unknown): AnyResult
}

/** Of what an agent asks: an approval with what may be changed, or a choice. */
export function askedForm(asked: AnyAsk): AskedForm {
  if (asked.kind === 'choice') return choiceForm(asked)
  if (asked.kind === 'approval' || asked.kind === 'permission') return approvalForm(asked)
  throw new Error(`This agent does not ask for a ${asked.kind}.`)
}

function choiceForm({ message, options, default: fallback }: ChoiceAsk): AskedForm {
  return {
    message,
    schema: {
      type: 'object',
      required: ['choice'],
      properties: {
        choice: {
          type: 'string',
          title: 'Choose one',
          oneOf: options.map(({ id, label }) => ({ const: id, title: label })),
        },
      },
    },
    read(value) {
      const wanted = memberOf(value, 'choice') ?? value
      const option = options.find(({ id, label }) => id === wanted || label === wanted)
      const all = options.find(({ id }) => id === fallback)
      // Words that name none of them are an answer as well: then all of it is told.
      const chosen = option ?? all
      return chosen === undefined
        ? { type: 'declined' }
        : { type: 'chosen', option: chosen, byDefault: option === undefined }
    },
  }
}

const ALLOW = { id: 'allow', label: 'Allow', kind: 'allow-once' } as const
const DENY = { id: 'deny', label: 'Deny', kind: 'reject-once' } as const

function approvalForm({ message, subject: { input, editable } }: ApprovalAsk): AskedForm {
  const values = Object(input) as Readonly<Record<string, unknown>> // `Object` gives an object
  const properties = Object.entries(Object(editable?.properties) as Readonly<Record<string, object>>)
  return {
    message,
    schema: {
      type: 'object',
      properties: {
        ...Object.fromEntries(properties.map(([name, schema]) => [name, { ...schema, default: values[name] }])),
        allow: { type: 'boolean', title: 'Allow it', default: false },
      },
    },
    read(value) {
      if (memberOf(value, 'allow') !== true && !/^(?:yes|allow|ok)\b/i.test(String(value)))
        return { type: 'refused', option: DENY }
      const changed = Object.fromEntries(
        properties.flatMap(([name]) => {
          const member = memberOf(value, name)
          return typeof member === 'string' ? [[name, member]] : []
        }),
      )
      return {
        type: 'allowed',
        option: ALLOW,
        input: { ...values, ...changed },
        edited: Object.keys(changed).length > 0,
      }
    },
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
