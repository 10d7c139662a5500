'use client'

type Theme = 'system' | 'light' | 'dark'

/** Light, dark or what the system says; in a cookie, so that the server renders the page in it. */
export function ThemeChoice({ chosen }: { chosen: Theme }) {
  function choose(theme: string): void {
    const root = document.documentElement
    if (theme === 'system') root.removeAttribute('data-theme')
    else root.setAttribute('data-theme', theme)
    document.cookie = `theme=${theme}; path=/; max-age=31536000; samesite=lax`
  }
  return (
    <select
      className="theme"
      aria-label="Theme"
      defaultValue={chosen}
      onChange={(change) => choose(change.target.value)}
    >
      <option value="system">System</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </select>
  )
}
