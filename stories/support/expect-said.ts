import { expect, waitFor } from 'storybook/test'

/** Waits until the story says these words, in whatever elements they stand. */
export async function expectSaid(canvasElement: HTMLElement, words: string): Promise<void> {
  await waitFor(() => expect(canvasElement).toHaveTextContent(words), {
    timeout: 10_000,
    // The story is on the screen: its markup again would bury the sentence that says what is missing.
    onTimeout: (error) => error,
  })
}
