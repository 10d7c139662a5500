import type { ArgTypesEnhancer } from 'storybook/internal/types'

interface Documented {
  readonly __docgenInfo?: {
    readonly props?: Readonly<Record<string, { readonly tsType?: { readonly raw?: string } } | undefined>>
  }
}

/** The control for objects makes copies, and an error that wants to be told what it is cannot be copied. */
function holdsError(value: unknown, depth = 4): boolean {
  if (value instanceof Error) return true
  return (
    depth > 0 &&
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).some((inner) => holdsError(inner, depth - 1))
  )
}

/** Props tables show a type as it is written: `'light' | 'dark'` and not "union". That a prop may be left out is shown by its name. */
export const withWholeTypes: ArgTypesEnhancer = ({ argTypes, component, initialArgs }) => {
  // The docgen plugin puts it on every component it can read.
  const props = (component as Documented | undefined)?.__docgenInfo?.props ?? {}
  return Object.fromEntries(
    Object.entries(argTypes).map(([name, argType]) => {
      const written = props[name]?.tsType?.raw?.replace(/\s*\|\s*undefined$/, '')
      const table =
        written === undefined || argType.table?.type === undefined
          ? argType.table
          : { ...argType.table, type: { summary: written } }
      return [name, { ...argType, ...(table && { table }), ...(holdsError(initialArgs[name]) && { control: false }) }]
    }),
  )
}
