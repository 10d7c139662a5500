import type { Decorator } from '@storybook/react-vite'

/**
 * How much space a story has. `column` (the default): as wide as a chat's column. `narrow`: 320 px. `full`: all there
 * is. `chat` and `narrow-chat`: with a height, for whole chats.
 */
export type Frame = 'column' | 'narrow' | 'full' | 'chat' | 'narrow-chat'

/** The ground every story is on, themed by the toolbar. Set `parameters: { frame: 'chat' }` for another one. */
export const withFrame: Decorator = (Story, { globals, parameters }) => {
  // Globals and parameters are untyped in Storybook; these are the ones of preview.tsx.
  const { theme, direction, density, contrast } = globals as Readonly<Record<string, string | undefined>>
  const frame = (parameters['frame'] as Frame | undefined) ?? 'column'
  return (
    <div
      className="story-frame"
      dir={direction === 'rtl' ? 'rtl' : 'ltr'}
      data-frame={frame}
      data-theme={theme === 'dark' ? 'dark' : 'light'}
      data-density={density === 'compact' ? 'compact' : undefined}
      data-contrast={contrast === 'more' ? 'more' : undefined}
    >
      <div className="story-ground">
        <Story />
      </div>
    </div>
  )
}
