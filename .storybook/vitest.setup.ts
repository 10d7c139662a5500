import * as accessibility from '@storybook/addon-a11y/preview'
import { setProjectAnnotations } from '@storybook/react-vite'
import { configure } from 'storybook/test'
import { inject } from 'vitest'
import preview from './preview.tsx'

declare module 'vitest' {
  interface ProvidedContext {
    /** How all stories of a run are shown, from vitest.config.ts: its name, and values for the toolbar. */
    readonly guise: { readonly name: string; readonly globals: Readonly<Record<string, string>> }
  }
}

setProjectAnnotations([accessibility, preview, { initialGlobals: inject('guise').globals }])

// Some parts fetch their code when they are used. How long a busy machine takes for that says nothing.
configure({ asyncUtilTimeout: 20_000 })

// In forced colours axe reads the fill of text, which Chromium reports as the author wrote it; `color` is what is painted.
if (matchMedia('(forced-colors: active)').matches) {
  const { getPropertyValue } = CSSStyleDeclaration.prototype
  CSSStyleDeclaration.prototype.getPropertyValue = function (name) {
    return getPropertyValue.call(this, name === '-webkit-text-fill-color' ? 'color' : name)
  }
}
