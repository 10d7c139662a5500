import type { AskedClient } from './outcome.js'

/** The clients of capstan, by name. */
export const CAPSTAN_CLIENTS: Readonly<Record<string, AskedClient>>
