import { afterEach, beforeAll, expect, inject } from 'vitest'
import { page, server } from 'vitest/browser'

// Stories tagged `picture` are compared with the references beside this file, in light and in dark.
// `npx vitest run --project 'stories light' --project 'stories dark' --update=all` takes them again.

const FONT = 'Liberation Sans'

/** Whether text in a font is as wide as in the font the machine falls back to: then it is that one. */
function hasFont(name: string): boolean {
  const context = document.createElement('canvas').getContext('2d')
  if (context === null) return false
  const widthIn = (family: string): number => {
    context.font = `40px ${family}`
    return context.measureText('River 0123 mmm iii').width
  }
  return widthIn(`"${name}", monospace`) !== widthIn('monospace')
}

const comparable = server.platform === 'linux' && hasFont(FONT)
const { name: guise } = inject('guise')

beforeAll(() => {
  if (!comparable && guise === 'light')
    console.log(`The pictures of stories are not compared: they need Linux and ${FONT} (fonts-liberation).`)
  // Everyone's text has the same widths, whatever other fonts are there.
  if (document.getElementById('story-fonts') !== null) return
  const style = document.createElement('style')
  style.id = 'story-fonts'
  style.textContent = `:root { --cs-sans: "${FONT}", sans-serif; --cs-mono: "Liberation Mono", monospace; }`
  document.head.append(style)
})

interface StoryTest {
  /** What the Storybook plugin puts on the context of a test. */
  readonly story?: { readonly tags?: readonly string[] }
}

afterEach(async ({ task, ...context }) => {
  const { story } = context as StoryTest
  const ground = document.querySelector('.story-frame')
  const { storyId } = task.meta as { readonly storyId?: string }
  if (!comparable || !story?.tags?.includes('picture') || storyId === undefined || ground === null) return
  if (task.result?.state === 'fail' || (guise !== 'light' && guise !== 'dark')) return
  // Two equal pictures in a row take long where five looks share two cores.
  await expect(page.elementLocator(ground)).toMatchScreenshot(`${storyId}-${guise}`, { timeout: 25_000 })
})
