/** What is known when a credential is asked for. */
export interface CredentialContext {
  /** The key the server has just answered with 401: get a new one. Absent in ordinary calls. */
  readonly rejected?: string | undefined
}

/** A credential, or a way to get one; asked again at every attempt, and once more, with `rejected`, after a 401. */
export type ApiKey = string | ((context: CredentialContext) => string | Promise<string>)

/** One source of keys for all calls of a client. */
export interface Credential {
  get(): Promise<string | undefined>
  /**
   * A key in place of one that was refused, or undefined when there is none. All streams refused with the same
   * key share one call.
   */
  renew(rejected: string): Promise<string | undefined>
}

export function createCredential(source: ApiKey | undefined): Credential {
  let renewal: { readonly rejected: string; readonly key: Promise<string>; open: boolean } | undefined

  return {
    async get() {
      if (typeof source !== 'function') return source
      // A call that starts during a refresh waits for the new key, because the old one would be refused.
      return renewal?.open === true ? renewal.key : source({})
    },
    async renew(rejected) {
      if (typeof source !== 'function') return undefined
      if (renewal?.rejected !== rejected) {
        const own = { rejected, key: Promise.resolve(source({ rejected })), open: true }
        renewal = own
        // A refresh that returned no new key is not cached: a later refusal asks again.
        const close = (key?: string): void => {
          own.open = false
          if ((key === undefined || key === rejected) && renewal === own) renewal = undefined
        }
        own.key.then(close, () => close())
      }
      const key = await renewal.key
      return key === rejected ? undefined : key
    },
  }
}
