import * as accessibility from '@storybook/addon-a11y/preview'
import { setProjectAnnotations } from '@storybook/react-vite'
import { inject } from 'vitest'
import preview from './preview.tsx'

declare module 'vitest' {
  interface ProvidedContext {
    /** Toolbar values of the whole run, from vitest.config.ts. */
    readonly guise: Readonly<Record<string, string>>
  }
}

setProjectAnnotations([accessibility, preview, { initialGlobals: inject('guise') }])
