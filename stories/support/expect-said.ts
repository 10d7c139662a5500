import { expect, waitFor } from 'storybook/test'

const letters = (words: string | null): string => words?.replaceAll(/\s+/g, '') ?? ''

/** Waits until the story says these words, in whatever elements they are: between two of them there may not be a space. */
export async function expectSaid(canvasElement: HTMLElement, words: string): Promise<void> {
  await waitFor(() => expect(letters(canvasElement.textContent)).toContain(letters(words)), {
    timeout: 10_000,
    // The story is on the screen: its markup again would bury the sentence that says what is missing.
    onTimeout: (error) => error,
  })
}
