import type { ArgTypesEnhancer } from 'storybook/internal/types'

interface Documented {
  readonly __docgenInfo?: { readonly props?: Readonly<Record<string, { readonly tsType?: { readonly raw?: string } } | undefined>> }
}

/** Props tables show a type as it is written: `'light' | 'dark'` and not "union". That a prop may be left out is shown by its name. */
export const withWholeTypes: ArgTypesEnhancer = ({ argTypes, component }) => {
  // The docgen plugin puts it on every component it can read.
  const props = (component as Documented | undefined)?.__docgenInfo?.props ?? {}
  return Object.fromEntries(
    Object.entries(argTypes).map(([name, argType]) => {
      const written = props[name]?.tsType?.raw?.replace(/\s*\|\s*undefined$/, '')
      if (written === undefined || argType.table?.type === undefined) return [name, argType]
      return [name, { ...argType, table: { ...argType.table, type: { summary: written } } }]
    }),
  )
}
