import { createStore } from '../store.ts'

export type Theme = 'light' | 'dark' | 'system'

const KEY = 'capstan-playground-theme'

function isTheme(value: unknown): value is Theme {
  return value === 'light' || value === 'dark' || value === 'system'
}

function remembered(): Theme {
  try {
    const value = localStorage.getItem(KEY)
    return isTheme(value) ? value : 'system'
  } catch {
    // Storage is forbidden here: the choice lasts as long as the page.
    return 'system'
  }
}

/** Chosen by the person; `system` follows the device. */
export const theme = createStore<Theme>(remembered())

export function chooseTheme(next: Theme): void {
  theme.set(next)
  applyTheme()
  try {
    localStorage.setItem(KEY, next)
  } catch {
    // As above.
  }
}

/** Puts the choice on the document. */
export function applyTheme(): void {
  const chosen = theme.get()
  if (chosen === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = chosen
}
