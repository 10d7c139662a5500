/** Where drafts of forms are stored. What fails is nobody's loss but the draft's: both functions may throw or reject. */
export interface FormDrafts {
  /** The text that was written last, or undefined. */
  readonly read: (key: string) => string | undefined | Promise<string | undefined>
  /** Undefined removes it. Called with every change of the form. */
  readonly write: (key: string, text: string | undefined) => void
}

const PREFIX = 'capstan-form:'

/** Drafts in the session storage: they outlive a reload, and end with the tab. */
export const tabDrafts: FormDrafts = {
  read: (key) => sessionStorage.getItem(PREFIX + key) ?? undefined,
  write(key, text) {
    if (text === undefined) sessionStorage.removeItem(PREFIX + key)
    else sessionStorage.setItem(PREFIX + key, text)
  },
}
