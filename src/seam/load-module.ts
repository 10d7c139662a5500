import type { AgentErrorInit } from '../base/agent-error.ts'

const NOT_LOADED = {
  kind: 'connection',
  code: 'network_error',
  severity: 'TRANSIENT',
  message: 'A module of capstan that is loaded on demand could not be loaded.',
} as const

/** A module that is loaded on demand. A load that failed is tried again at the next call. @throws the error of a protocol, `network_error` */
export async function loadModule<Module>(
  load: () => Promise<Module>,
  createError: (init: AgentErrorInit) => Error,
): Promise<Module> {
  try {
    return await load()
  } catch (cause) {
    throw createError({ ...NOT_LOADED, cause })
  }
}
